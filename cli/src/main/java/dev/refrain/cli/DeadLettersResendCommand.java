package dev.refrain.cli;

import dev.refrain.store.outbox.DeadLetterDecision;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** Command {@code refrain deadletters resend}, which has dead letters delivered after all. */
@Command(
        name = "resend",
        // The name of 0.1 snapshots.
        aliases = "replay",
        description =
                "Resend dead letters under the same keys, with new attempts. Resending one whose cause is UNKNOWN asserts that it was never"
                        + " delivered: ask the other side first.")
final class DeadLettersResendCommand implements Callable<Integer> {

    @Mixin
    private final DeadLetterDecisionMixin letters = new DeadLetterDecisionMixin();

    @Override
    public Integer call() {
        letters.decide(DeadLetterDecision.Verdict.RESEND, "resent", "Resend it, under the same key?");
        return ExitCode.OK;
    }
}
