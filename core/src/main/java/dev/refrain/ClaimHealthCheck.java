package dev.refrain;

import dev.refrain.api.Claim;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import java.time.Duration;
import java.util.UUID;

/**
 * Checks that claims work, and nothing else: claims a key of its own and releases it. Each instance reuses one record, which
 * expires an hour after its last use. Thread-safe.
 */
public final class ClaimHealthCheck {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final LeasedOperation<Outcome.Answer> runs;
    private final OperationCall call =
            OperationCall.scope(":health").key(UUID.randomUUID().toString()).request("probe");

    public ClaimHealthCheck(Refrain refrain) {
        runs = refrain.uncheckedOperation("refrain.health")
                .retention(Duration.ofHours(1))
                .storeTimeout(PATIENCE)
                .leased(LeaseExpiryPolicy.RESUME);
    }

    /**
     * Claims and releases a key.
     *
     * @throws dev.refrain.api.RefrainException if a claim would fail now, with the reason
     */
    public void checkClaims() {
        runs.runForResult(call, ClaimHealthCheck::giveBack);
    }

    private static Outcome.Answer giveBack(Claim claim) {
        claim.doNotKeepAnswer();
        return Outcome.Answer.of(204, new byte[0]);
    }
}
