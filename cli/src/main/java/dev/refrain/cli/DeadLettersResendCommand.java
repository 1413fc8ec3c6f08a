package dev.refrain.cli;

import dev.refrain.store.outbox.DeadLetterDecision;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code refrain deadletters resend}: resends dead letters. */
@Command(
        name = "resend",
        // The name of 0.1 snapshots.
        aliases = "replay",
        description = {
            "Resend dead letters under the same keys, as if they had just been staged.",
            "Resending an UNKNOWN dead letter asserts that it was never delivered: unless the receiver "
                    + "deduplicates by key, check with it first."
        },
        footer = {
            "",
            "Example:",
            "  refrain deadletters resend --store … --topic webhooks --cause EXHAUSTED \\",
            "      --reason 'the endpoint is fixed'"
        })
final class DeadLettersResendCommand implements Callable<Integer> {

    @Mixin
    private final DeadLetterDecisionMixin letters = new DeadLetterDecisionMixin();

    @Override
    public Integer call() {
        letters.decide(DeadLetterDecision.Action.RESEND, "resent", "Resend it under the same key?");
        return ExitCode.OK;
    }
}
