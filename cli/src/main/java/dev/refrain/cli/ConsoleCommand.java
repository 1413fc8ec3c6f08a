package dev.refrain.cli;

import picocli.CommandLine.Command;

/** {@code refrain console}: what the web console needs. */
@Command(
        name = "console",
        description = "Prepare the web console, which the gateway and the Spring Boot starter serve.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = ConsolePasswordCommand.class)
final class ConsoleCommand extends CommandGroup {}
