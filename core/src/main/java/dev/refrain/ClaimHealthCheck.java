package dev.refrain;

import dev.refrain.api.Claim;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import java.time.Duration;
import java.util.UUID;

/**
 * Finds out whether claims work, and nothing else: it claims a key of its own and gives it back. Each instance has one record for that,
 * which is used again and expires an hour after the last time. Thread-safe.
 */
public final class ClaimHealthCheck {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final LeasedOperation<Outcome.Answer> runs;
    private final OperationCall call =
            OperationCall.scope(":health").key(UUID.randomUUID().toString()).request("probe");

    public ClaimHealthCheck(Refrain refrain) {
        runs = refrain.operation("refrain.health")
                .retention(Duration.ofHours(1))
                .storeTimeout(PATIENCE)
                .leased(LeaseExpiryPolicy.RESUME);
    }

    /** @throws dev.refrain.api.RefrainException if a claim would fail now, and why */
    public void checkClaims() {
        runs.runForResult(call, ClaimHealthCheck::giveBack);
    }

    private static Outcome.Answer giveBack(Claim claim) {
        claim.doNotKeepAnswer();
        return Outcome.Answer.of(204, new byte[0]);
    }
}
