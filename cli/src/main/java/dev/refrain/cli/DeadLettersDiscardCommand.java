package dev.refrain.cli;

import dev.refrain.store.outbox.DeadLetterDecision;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** Command {@code refrain deadletters discard}, which deletes dead letters. */
@Command(
        name = "discard",
        description = "Discard dead letters: they are deleted and never delivered. The audit trail says by whom and why.")
final class DeadLettersDiscardCommand implements Callable<Integer> {

    @Mixin
    private final DeadLetterDecisionMixin letters = new DeadLetterDecisionMixin();

    @Override
    public Integer call() {
        letters.decide(DeadLetterDecision.Verdict.DISCARD, "discarded", "Discard it for good?");
        return ExitCode.OK;
    }
}
