package dev.refrain.cli;

import dev.refrain.store.Resolution;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code refrain keys release}: lets a key in ATTENTION run again. */
@Command(
        name = "release",
        description = {
            "Release a key in ATTENTION so that the next retry runs it again.",
            "Use it when the request did not take effect, or when repeating it is safe."
        },
        footer = {"", "Example:", "  refrain keys release --store … --id ID --reason 'the bank has no such payment'"})
final class KeysReleaseCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private final RecordDecisionMixin decision = new RecordDecisionMixin();

    @Override
    public Integer call() {
        decision.decide(
                "released",
                "Release it, so that the next retry runs it again?",
                Resolution.RunAgain::new,
                spec.commandLine().getOut());
        return ExitCode.OK;
    }
}
