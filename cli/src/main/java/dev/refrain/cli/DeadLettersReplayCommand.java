package dev.refrain.cli;

import dev.refrain.store.outbox.DeadLetterDecision;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code refrain deadletters replay}: to be delivered after all. */
@Command(
        name = "replay",
        description =
                "Deliver dead letters as if they had just been staged, under the same keys. One whose cause is UNKNOWN may then arrive twice,"
                        + " unless the other side knows its key: ask there first.")
final class DeadLettersReplayCommand implements Callable<Integer> {

    @Mixin
    private final DeadLetterDecisionMixin letters = new DeadLetterDecisionMixin();

    @Override
    public Integer call() {
        letters.decide(DeadLetterDecision.Verdict.RESEND, "sent again", "Send it again, under the same key?");
        return ExitCode.OK;
    }
}
