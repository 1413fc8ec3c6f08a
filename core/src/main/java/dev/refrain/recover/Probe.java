package dev.refrain.recover;

import dev.refrain.Call;
import dev.refrain.Leased;
import dev.refrain.Refrain;
import dev.refrain.claim.Claim;
import dev.refrain.outcome.Outcome;
import dev.refrain.store.TakeOver;
import java.time.Duration;
import java.util.UUID;

/**
 * Finds out whether claims work, and nothing else: it claims a key of its own and gives it back. Each instance has one record for that,
 * which is used again and expires an hour after the last time. Thread-safe.
 */
public final class Probe {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Leased<Outcome.Answer> runs;
    private final Call call = Call.of(":health", UUID.randomUUID().toString(), "probe");

    public Probe(Refrain refrain) {
        runs = refrain.operation("refrain.health")
                .retention(Duration.ofHours(1))
                .storeTimeout(PATIENCE)
                .leased(TakeOver.RESUME);
    }

    /** @throws dev.refrain.RefrainException if a claim would fail now, and why */
    public void checkClaims() {
        runs.runForResult(call, Probe::giveBack);
    }

    private static Outcome.Answer giveBack(Claim claim) {
        claim.doNotKeepAnswer();
        return Outcome.Answer.of(204, new byte[0]);
    }
}
