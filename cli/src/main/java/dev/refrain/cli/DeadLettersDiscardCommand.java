package dev.refrain.cli;

import dev.refrain.store.outbox.DeadLetterDecision;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code refrain deadletters discard}: never to be delivered. */
@Command(
        name = "discard",
        description = "Give dead letters up for good. They are deleted; the audit trail says by whom and why.")
final class DeadLettersDiscardCommand implements Callable<Integer> {

    @Mixin
    private final DeadLetterDecisionMixin letters = new DeadLetterDecisionMixin();

    @Override
    public Integer call() {
        letters.decide(DeadLetterDecision.Verdict.DISCARD, "discarded", "Give it up for good?");
        return ExitCode.OK;
    }
}
