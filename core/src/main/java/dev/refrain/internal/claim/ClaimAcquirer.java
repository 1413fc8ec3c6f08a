package dev.refrain.internal.claim;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Retention;
import dev.refrain.internal.batch.BatchedStoreClient;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** Asks the store for a claim until its answer is one of the protocol's. Thread-safe. */
public final class ClaimAcquirer {

    /** More lost races in a row than this on one key, and the asker is told that it is in progress. */
    private static final int ROUNDS = 8;

    private final BatchedStoreClient lanes;
    private final ExecutionEnvironment environment;

    public ClaimAcquirer(BatchedStoreClient lanes, ExecutionEnvironment environment) {
        this.lanes = lanes;
        this.environment = environment;
    }

    /** How the claim is to be held, should it be acquired. */
    public record ClaimTerms(Duration lease, LeaseExpiryPolicy takeOver, Retention retention, Duration patience) {}

    /** @throws StoreException if the store could not be asked; if its effect is unknown, a claim may stand until its lease ends */
    public ClaimVerdict acquire(FingerprintedCall ask, ClaimTerms terms) {
        return acquire(ask, terms, request -> askStore(request, terms.patience()));
    }

    /** The same, asking another way than through the lanes: inside a transaction. */
    public ClaimVerdict acquire(FingerprintedCall ask, ClaimTerms terms, Function<ClaimRequest, ClaimResponse> door) {
        Fingerprint fingerprint = ask.fingerprint();
        Optional<StoredRecord> last = Optional.empty();
        for (int round = 0; round < ROUNDS; round++) {
            switch (door.apply(request(ask, fingerprint, terms))) {
                case ClaimResponse.Acquired acquired -> {
                    return new ClaimVerdict.Acquired(acquired.record());
                }
                case ClaimResponse.LockedByTransaction unseen -> {
                    return new ClaimVerdict.InProgress(Optional.empty());
                }
                case ClaimResponse.Failed failed -> throw failed.failure();
                case ClaimResponse.Found found -> {
                    var result = ClaimRules.verdict(ask, found.record());
                    if (result.isPresent()) {
                        return result.get();
                    }
                    // There to be claimed, yet not acquired: a race was lost, or its fingerprint was made another way.
                    fingerprint = found.record()
                            .fingerprint()
                            .map(ask::fingerprintByRecipeOf)
                            .orElse(ask.fingerprint());
                    last = Optional.of(found.record());
                }
            }
        }
        return new ClaimVerdict.InProgress(last);
    }

    private ClaimRequest request(FingerprintedCall ask, Fingerprint fingerprint, ClaimTerms terms) {
        return new ClaimRequest(
                ask.identity(),
                ask.lookup(),
                fingerprint,
                environment.newNonce(),
                terms.lease(),
                terms.takeOver(),
                terms.retention(),
                ask.subject(),
                ask.stored());
    }

    private ClaimResponse askStore(ClaimRequest request, Duration patience) {
        try {
            return lanes.claim(request, patience);
        } catch (StoreException e) {
            if (e.effect() == Effect.UNKNOWN) {
                lanes.releaseLater(request);
            }
            throw e;
        }
    }
}
