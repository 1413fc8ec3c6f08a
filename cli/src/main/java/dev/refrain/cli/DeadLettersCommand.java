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
            DeadLettersResendCommand.class,
            DeadLettersDiscardCommand.class
        },
        footer = {
            "",
            "Causes: REFUSED (the other side will not take it), EXHAUSTED (it failed as",
            "often as it may; whether it arrived is found out when it is resent),",
            "UNKNOWN (it may have arrived: ask the other side before you resend it).",
            "",
            "Examples:",
            "  refrain deadletters list --store jdbc:postgresql://db/shop --cause UNKNOWN",
            "  refrain deadletters resend --store … --topic webhooks --cause EXHAUSTED \\",
            "      --reason 'the endpoint is mended'",
            "  refrain deadletters discard --store … --id ID --reason 'she has left'"
        })
final class DeadLettersCommand extends CommandGroup {}
