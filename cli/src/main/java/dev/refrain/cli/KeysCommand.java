package dev.refrain.cli;

import picocli.CommandLine.Command;

/** {@code refrain keys}: what operators do with keys. */
@Command(
        name = "keys",
        description = "Look at keys, and settle what waits for a decision.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {KeysListCommand.class, KeysShowCommand.class, KeysReleaseCommand.class, KeysResolveCommand.class
        },
        footer = {
            "",
            "A key waits for a decision (ATTENTION) when nobody knows whether its request",
            "took effect. Find that out. It did:",
            "  refrain keys resolve --store … --id ID --status 201 --body answer.json \\",
            "      --reason 'the bank has it'",
            "It did not:",
            "  refrain keys release --store … --id ID --reason 'the bank has no such payment'",
            "",
            "Examples:",
            "  refrain keys list --store jdbc:sqlite:refrain-gateway.db --since 2h",
            "  refrain keys show --store jdbc:postgresql://db/shop --user me \\",
            "      --operation orders --key order-7"
        })
final class KeysCommand extends CommandGroup {}
