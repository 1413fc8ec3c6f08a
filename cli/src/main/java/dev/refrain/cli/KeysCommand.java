package dev.refrain.cli;

import picocli.CommandLine.Command;

/** {@code refrain keys}: what operators do with keys. */
@Command(
        name = "keys",
        description = "Look at keys, and settle what waits for a decision.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {KeysListCommand.class, KeysShowCommand.class, KeysReleaseCommand.class, KeysResolveCommand.class
        })
final class KeysCommand extends CommandGroup {}
