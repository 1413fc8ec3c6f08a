package dev.refrain.cli;

import picocli.CommandLine.Command;

/** {@code refrain deadletters}: lists, shows and settles messages that are no longer sent. */
@Command(
        name = "deadletters",
        description = "Show messages that could not be delivered, and resend or discard them.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DeadLettersListCommand.class,
            DeadLettersShowCommand.class,
            DeadLettersReplayCommand.class,
            DeadLettersDiscardCommand.class
        },
        footer = {
            "",
            "Causes: REFUSED (the receiver rejected it), EXHAUSTED (every attempt failed; a",
            "resend cannot deliver it twice), UNKNOWN (it may have been delivered: check with",
            "the receiver before resending).",
            "",
            "Examples:",
            "  refrain deadletters list --store jdbc:postgresql://db/shop --cause UNKNOWN",
            "  refrain deadletters replay --store … --topic webhooks --cause EXHAUSTED \\",
            "      --reason 'the endpoint is fixed'",
            "  refrain deadletters discard --store … --id ID --reason 'the account is closed'"
        })
final class DeadLettersCommand extends CommandGroup {}
