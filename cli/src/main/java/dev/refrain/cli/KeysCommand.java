package dev.refrain.cli;

import picocli.CommandLine.Command;

/** {@code refrain keys}: lists, shows and settles keys. */
@Command(
        name = "keys",
        description = "List and show keys, and settle keys in ATTENTION.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {KeysListCommand.class, KeysShowCommand.class, KeysReleaseCommand.class, KeysResolveCommand.class
        },
        footer = {
            "",
            "A key is in ATTENTION when it is unknown whether its request took effect.",
            "Find out first. If it took effect:",
            "  refrain keys resolve --store … --id ID --status 201 --body answer.json \\",
            "      --reason 'the bank has the payment'",
            "If it did not:",
            "  refrain keys release --store … --id ID --reason 'the bank has no such payment'",
            "",
            "Examples:",
            "  refrain keys list --store jdbc:sqlite:refrain-gateway.db --since 2h",
            "  refrain keys show --store jdbc:postgresql://db/shop --user me \\",
            "      --namespace orders --key order-7"
        })
final class KeysCommand extends CommandGroup {}
