package dev.refrain.cli;

import picocli.CommandLine.Command;

/** {@code refrain outbox}: what waits to be delivered. */
@Command(
        name = "outbox",
        description = "Look at the messages that wait to be delivered; dead letters are in `refrain deadletters`.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {OutboxTopicsCommand.class, OutboxListCommand.class})
final class OutboxCommand extends CommandGroup {}
