package dev.refrain.cli;

import dev.refrain.store.Resolution;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code refrain keys release}: it may run again. */
@Command(
        name = "release",
        description = "Let a key that waits for a decision run again: it did not take effect, or repeating it is safe.")
final class KeysReleaseCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private final RecordDecisionMixin deciding = new RecordDecisionMixin();

    @Override
    public Integer call() {
        deciding.decide(
                "released",
                "Let it run again with the next retry?",
                Resolution.RunAgain::new,
                spec.commandLine().getOut());
        return ExitCode.OK;
    }
}
