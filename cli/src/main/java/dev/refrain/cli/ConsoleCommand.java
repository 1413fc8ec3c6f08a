package dev.refrain.cli;

import picocli.CommandLine.Command;

/** {@code refrain console}: prepares the web console. */
@Command(
        name = "console",
        description = "Set up the web console, which the gateway and the Spring Boot starter serve.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = ConsolePasswordCommand.class,
        footer = {"", "Example:", "  refrain console password", "", "Settings and rights: docs/console.md"})
final class ConsoleCommand extends CommandGroup {}
