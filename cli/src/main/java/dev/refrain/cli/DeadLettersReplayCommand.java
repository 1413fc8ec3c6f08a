package dev.refrain.cli;

import dev.refrain.store.outbox.DeadLetterDecision;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code refrain deadletters replay}: resends dead letters. */
@Command(
        name = "replay",
        description = {
            "Resend dead letters under the same keys, as if they had just been staged.",
            "Resending an UNKNOWN dead letter asserts that it was never delivered: unless the receiver "
                    + "deduplicates by key, check with it first."
        })
final class DeadLettersReplayCommand implements Callable<Integer> {

    @Mixin
    private final DeadLetterDecisionMixin letters = new DeadLetterDecisionMixin();

    @Override
    public Integer call() {
        letters.decide(DeadLetterDecision.Verdict.RESEND, "sent again", "Resend it under the same key?");
        return ExitCode.OK;
    }
}
