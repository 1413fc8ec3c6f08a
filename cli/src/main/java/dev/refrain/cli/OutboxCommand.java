package dev.refrain.cli;

import picocli.CommandLine.Command;

/** {@code refrain outbox}: shows the messages that wait to be delivered. */
@Command(
        name = "outbox",
        description = {
            "Show messages waiting to be delivered.",
            "For messages that could not be delivered, see `refrain deadletters`."
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {OutboxTopicsCommand.class, OutboxListCommand.class},
        footer = {
            "",
            "Examples:",
            "  refrain outbox topics --store jdbc:postgresql://db/shop",
            "  refrain outbox list --store jdbc:postgresql://db/shop --failing"
        })
final class OutboxCommand extends CommandGroup {}
