package dev.refrain.internal.claim;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.Retention;
import dev.refrain.internal.batch.BatchedStoreClient;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Sends a claim to the store, repeatedly if need be, until it has a verdict. Thread-safe. */
public final class ClaimAcquirer {

    /** Number of lost races in a row on one key after which the answer is "in progress". */
    private static final int ROUNDS = 8;

    private final BatchedStoreClient storeClient;
    private final ExecutionEnvironment environment;
    private final OriginCompleter origins;
    private final ReplayPredictor replays = new ReplayPredictor();

    public ClaimAcquirer(BatchedStoreClient storeClient, ExecutionEnvironment environment, OriginCompleter origins) {
        this.storeClient = storeClient;
        this.environment = environment;
        this.origins = origins;
    }

    /** Terms of the claim, if it is acquired. */
    public record ClaimTerms(Duration lease, LeaseExpiryPolicy takeOver, Retention retention, Duration patience) {}

    /**
     * Acquires a claim.
     *
     * @throws StoreException if the store is unreachable; if its effect is unknown, a claim may stand until its lease ends
     */
    public ClaimVerdict acquire(FingerprintedCall ask, ClaimTerms terms) {
        // Before anything is computed or copied for a claim that is refused.
        storeClient.requireCapacity(ask.identity().scope(), terms.patience());
        return acquire(ask, terms, ask.kept().get(), request -> askStore(request, terms.patience()));
    }

    /**
     * Acquires a claim through another call than the batchers: inside a transaction. Such a run leaves no unfinished record, so that
     * nothing of its request is kept.
     */
    public ClaimVerdict acquire(FingerprintedCall ask, ClaimTerms terms, Function<ClaimRequest, ClaimResponse> door) {
        return acquire(ask, terms, Optional.empty(), door);
    }

    /**
     * Returns the stored outcome without a transaction, if recent calls suggest that there is one; otherwise, or if there is none, claims inside a
     * transaction. What is completed or belongs to another request stays so until it expires, so that it makes no difference to the answer.
     */
    public ClaimVerdict findReplayOrClaim(FingerprintedCall ask, Duration patience, Supplier<ClaimVerdict> claim) {
        var verdict =
                (replays.areLikely() ? findReplay(ask, patience) : Optional.<ClaimVerdict>empty()).orElseGet(claim);
        replays.observe(verdict instanceof ClaimVerdict.Replay);
        return verdict;
    }

    /** Returns what the record of a call says without a claim; empty if there is none, or if it can be claimed. */
    public Optional<ClaimVerdict> findVerdict(FingerprintedCall ask, Duration patience) {
        return storeClient.find(ask.identity(), patience).flatMap(record -> ClaimRules.verdict(ask, record));
    }

    private Optional<ClaimVerdict> findReplay(FingerprintedCall ask, Duration patience) {
        return findVerdict(ask, patience)
                .filter(verdict -> verdict instanceof ClaimVerdict.Replay || verdict instanceof ClaimVerdict.Mismatch);
    }

    private ClaimVerdict acquire(
            FingerprintedCall ask,
            ClaimTerms terms,
            Optional<Payload> kept,
            Function<ClaimRequest, ClaimResponse> door) {
        Fingerprint fingerprint = ask.fingerprint();
        var origin = origins.complete(ask.origin());
        Optional<StoredRecord> last = Optional.empty();
        for (int round = 0; round < ROUNDS; round++) {
            switch (door.apply(request(ask, fingerprint, terms, kept, origin))) {
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
                    // Claimable, yet not acquired: a race was lost, or the fingerprint was made by another recipe.
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

    /**
     * Receives the steps whose derived keys the work of this call asks for, and stores new ones while it runs. A flow, whose request is stored,
     * announces each of its calls and needs no more.
     */
    public Consumer<String> storingSteps(FingerprintedCall ask) {
        String operation = ask.origin().operation();
        if (operation.isEmpty() || ask.stored().isPresent()) {
            return rememberingSteps(ask);
        }
        return step -> {
            if (origins.learn(operation, step)) {
                storeClient.addStepsLater(ClaimOrigin.of(operation).withSteps(List.of(step)));
            }
        };
    }

    /** The same for work inside a transaction, which leaves no unfinished record behind that had to name its steps. */
    public Consumer<String> rememberingSteps(FingerprintedCall ask) {
        String operation = ask.origin().operation();
        return step -> origins.learn(operation, step);
    }

    private ClaimRequest request(
            FingerprintedCall ask,
            Fingerprint fingerprint,
            ClaimTerms terms,
            Optional<Payload> kept,
            ClaimOrigin origin) {
        return new ClaimRequest(
                ask.identity(),
                ask.lookup(),
                fingerprint,
                environment.newNonce(),
                terms.lease(),
                terms.takeOver(),
                terms.retention(),
                ask.subject(),
                ask.stored(),
                kept,
                origin);
    }

    private ClaimResponse askStore(ClaimRequest request, Duration patience) {
        try {
            return storeClient.claim(request, patience);
        } catch (StoreException e) {
            if (e.effect() == Effect.UNKNOWN) {
                storeClient.releaseLater(request);
            }
            throw e;
        }
    }
}
