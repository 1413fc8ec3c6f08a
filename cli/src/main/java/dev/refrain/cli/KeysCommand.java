package dev.refrain.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code refrain keys}: what operators do with keys. */
@Command(
        name = "keys",
        description = "Look at keys, and settle what waits for a decision.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {KeysListCommand.class, KeysShowCommand.class, KeysReleaseCommand.class, KeysResolveCommand.class
        })
final class KeysCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return CommandLine.ExitCode.USAGE;
    }
}
