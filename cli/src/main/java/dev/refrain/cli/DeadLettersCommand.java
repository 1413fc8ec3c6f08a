package dev.refrain.cli;

import picocli.CommandLine.Command;

/** {@code refrain deadletters}: messages that are not sent any more. */
@Command(
        name = "deadletters",
        description = "Look at messages that are not sent any more, and send them again or give them up.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DeadLettersListCommand.class,
            DeadLettersShowCommand.class,
            DeadLettersReplayCommand.class,
            DeadLettersDiscardCommand.class
        })
final class DeadLettersCommand extends CommandGroup {}
