package dev.refrain.trials.simulation.teeth;

import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Resolution;
import dev.refrain.store.State;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Swept;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Write;
import java.time.Duration;
import java.util.Optional;

/** Who may run: broken in several ways. */
final class BrokenClaims {

    private BrokenClaims() {}

    /** A claim is taken over although its lease is alive. */
    static Store leaseIgnored(Store store) {
        return new Tampered(store) {
            @Override
            ClaimAnswer claim(ClaimRequest request) {
                var answer = super.claim(request);
                if (answer instanceof ClaimAnswer.Found found
                        && found.record().state() == State.IN_PROGRESS
                        && found.record().fingerprint().equals(Optional.of(request.fingerprint()))) {
                    write(new Write.Release(found.record().claim()));
                    return super.claim(request);
                }
                return answer;
            }
        };
    }

    /** Losing the race for a new record still means acquired. */
    static Store everyoneWins(Store store) {
        return new Tampered(store) {
            @Override
            ClaimAnswer claim(ClaimRequest request) {
                var answer = super.claim(request);
                return answer instanceof ClaimAnswer.Found found
                                && found.record().state() == State.IN_PROGRESS
                        ? new ClaimAnswer.Acquired(found.record())
                        : answer;
            }
        };
    }

    /** A store that has an answer, and cannot tell it, says that it cannot be asked. */
    static Store saysThatItIsAway(Store store) {
        return new Tampered(store) {
            @Override
            ClaimAnswer claim(ClaimRequest request) {
                if (truth(request.lookup())
                        .filter(record -> record.state() == State.COMPLETED)
                        .isPresent()) {
                    throw StoreException.permanent("The outcome cannot be read.", Effect.UNKNOWN, null);
                }
                return super.claim(request);
            }
        };
    }

    /** Another request under a used key takes over what can be taken over. */
    static Store otherRequestClaims(Store store) {
        return new Tampered(store) {
            @Override
            ClaimAnswer claim(ClaimRequest request) {
                return super.claim(request) instanceof ClaimAnswer.Found found
                        ? super.claim(alike(request, found.record()))
                        : super.claim(request);
            }
        };
    }

    /** Whether the request is the same is not asked of what is done, or runs. */
    static Store otherRequestIsAnswered(Store store) {
        return new Tampered(store) {
            @Override
            ClaimAnswer claim(ClaimRequest request) {
                return super.claim(request) instanceof ClaimAnswer.Found found
                        ? new ClaimAnswer.Found(Forged.fingerprint(found.record(), request.fingerprint()))
                        : super.claim(request);
            }
        };
    }

    /** What is held is resumed. */
    static Store holdResumes(Store store) {
        return new Tampered(store) {
            @Override
            ClaimAnswer claim(ClaimRequest request) {
                return super.claim(new ClaimRequest(
                        request.identity(),
                        request.lookup(),
                        request.fingerprint(),
                        request.nonce(),
                        request.lease(),
                        TakeOver.RESUME,
                        request.retention(),
                        request.subject(),
                        request.request()));
            }
        };
    }

    /** A retry runs what waits for a person. */
    static Store attentionIsClaimed(Store store) {
        return new Tampered(store) {
            @Override
            ClaimAnswer claim(ClaimRequest request) {
                var answer = super.claim(request);
                if (answer instanceof ClaimAnswer.Found found && found.record().state() == State.ATTENTION) {
                    resolve(new Resolution(found.record().claim(), new Resolution.RunAgain(), "nobody", "for nothing"));
                    return super.claim(request);
                }
                return answer;
            }
        };
    }

    /** Something old and running looks dead to the sweeper. */
    static Store sweeperIgnoresLease(Store store) {
        return new Tampered(store) {
            @Override
            public Swept sweep(Duration grace, int limit) {
                return super.sweep(grace.minus(Duration.ofHours(1)), limit);
            }
        };
    }

    /** Abandoned claims are never settled. */
    static Store nobodySweeps(Store store) {
        return new Tampered(store) {
            @Override
            public Swept sweep(Duration grace, int limit) {
                return new Swept(0, 0, false);
            }
        };
    }

    private static ClaimRequest alike(ClaimRequest request, StoredRecord record) {
        return record.fingerprint().map(request::withFingerprint).orElse(request);
    }
}
