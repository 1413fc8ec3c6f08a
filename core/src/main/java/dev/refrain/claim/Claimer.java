package dev.refrain.claim;

import dev.refrain.Environment;
import dev.refrain.batch.Lanes;
import dev.refrain.fingerprint.Fingerprint;
import dev.refrain.outcome.Retention;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.TakeOver;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** Asks the store for a claim until its answer is one of the protocol's. Thread-safe. */
public final class Claimer {

    /** More lost races in a row than this on one key, and the asker is told that it is in progress. */
    private static final int ROUNDS = 8;

    private final Lanes lanes;
    private final Environment environment;

    public Claimer(Lanes lanes, Environment environment) {
        this.lanes = lanes;
        this.environment = environment;
    }

    /** How the claim is to be held, should it be acquired. */
    public record Terms(Duration lease, TakeOver takeOver, Retention retention, Duration patience) {}

    /** @throws StoreException if the store could not be asked; if its effect is unknown, a claim may stand until its lease ends */
    public ClaimResult acquire(Ask ask, Terms terms) {
        return acquire(ask, terms, request -> askStore(request, terms.patience()));
    }

    /** The same, asking another way than through the lanes: inside a transaction. */
    public ClaimResult acquire(Ask ask, Terms terms, Function<ClaimRequest, ClaimAnswer> door) {
        Fingerprint fingerprint = ask.fingerprint();
        Optional<StoredRecord> last = Optional.empty();
        for (int round = 0; round < ROUNDS; round++) {
            switch (door.apply(request(ask, fingerprint, terms))) {
                case ClaimAnswer.Acquired acquired -> {
                    return new ClaimResult.Acquired(acquired.record());
                }
                case ClaimAnswer.Unseen unseen -> {
                    return new ClaimResult.InProgress(Optional.empty());
                }
                case ClaimAnswer.Found found -> {
                    var result = Judge.verdict(ask, found.record());
                    if (result.isPresent()) {
                        return result.get();
                    }
                    // There to be claimed, yet not acquired: a race was lost, or its fingerprint was made another way.
                    fingerprint =
                            found.record().fingerprint().map(ask::fingerprintByRecipeOf).orElse(ask.fingerprint());
                    last = Optional.of(found.record());
                }
            }
        }
        return new ClaimResult.InProgress(last);
    }

    private ClaimRequest request(Ask ask, Fingerprint fingerprint, Terms terms) {
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

    private ClaimAnswer askStore(ClaimRequest request, Duration patience) {
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
