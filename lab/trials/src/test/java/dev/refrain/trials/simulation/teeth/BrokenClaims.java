package dev.refrain.trials.simulation.teeth;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreOverloadedException;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.SweepResult;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Mutants of claims: who may run. */
final class BrokenClaims {

    private BrokenClaims() {}

    /** A claim is taken over although its lease is alive. */
    static Store leaseIgnored(Store store) {
        return new MutantStore(store) {
            @Override
            ClaimResponse claim(ClaimRequest request) {
                var answer = super.claim(request);
                if (answer instanceof ClaimResponse.Found found
                        && found.record().state() == RecordState.IN_PROGRESS
                        && found.record().fingerprint().equals(Optional.of(request.fingerprint()))) {
                    write(new RecordWrite.Release(found.record().claim()));
                    return super.claim(request);
                }
                return answer;
            }
        };
    }

    /** Losing the race for a new record still means acquired. */
    static Store everyoneWins(Store store) {
        return new MutantStore(store) {
            @Override
            ClaimResponse claim(ClaimRequest request) {
                var answer = super.claim(request);
                return answer instanceof ClaimResponse.Found found
                                && found.record().state() == RecordState.IN_PROGRESS
                        ? new ClaimResponse.Acquired(found.record())
                        : answer;
            }
        };
    }

    /** Store that has an answer and reports itself unavailable. */
    static Store saysThatItIsAway(Store store) {
        return new MutantStore(store) {
            @Override
            ClaimResponse claim(ClaimRequest request) {
                if (truth(request.lookup())
                        .filter(record -> record.state() == RecordState.COMPLETED)
                        .isPresent()) {
                    throw StoreException.permanent("The outcome cannot be read.", Effect.UNKNOWN, null);
                }
                return super.claim(request);
            }
        };
    }

    /** Another request under a used key takes over what can be taken over. */
    static Store otherRequestClaims(Store store) {
        return new MutantStore(store) {
            @Override
            ClaimResponse claim(ClaimRequest request) {
                return super.claim(request) instanceof ClaimResponse.Found found
                        ? super.claim(alike(request, found.record()))
                        : super.claim(request);
            }
        };
    }

    /** Skips the fingerprint check of completed and running records. */
    static Store otherRequestIsAnswered(Store store) {
        return new MutantStore(store) {
            @Override
            ClaimResponse claim(ClaimRequest request) {
                return super.claim(request) instanceof ClaimResponse.Found found
                        ? new ClaimResponse.Found(ForgedRecords.fingerprint(found.record(), request.fingerprint()))
                        : super.claim(request);
            }
        };
    }

    /** Resumes records whose policy is {@code hold}. */
    static Store holdResumes(Store store) {
        return new MutantStore(store) {
            @Override
            ClaimResponse claim(ClaimRequest request) {
                return super.claim(new ClaimRequest(
                        request.identity(),
                        request.lookup(),
                        request.fingerprint(),
                        request.nonce(),
                        request.lease(),
                        LeaseExpiryPolicy.RESUME,
                        request.retention(),
                        request.subject(),
                        request.request(),
                        request.keptRequest(),
                        request.origin()));
            }
        };
    }

    /** A retry runs what waits for a person. */
    static Store attentionIsClaimed(Store store) {
        return new MutantStore(store) {
            @Override
            ClaimResponse claim(ClaimRequest request) {
                var answer = super.claim(request);
                if (answer instanceof ClaimResponse.Found found
                        && found.record().state() == RecordState.ATTENTION) {
                    resolve(new Resolution(found.record().claim(), new Resolution.RunAgain(), "nobody", "for nothing"));
                    return super.claim(request);
                }
                return answer;
            }
        };
    }

    /** Something old and running looks dead to the sweeper. */
    static Store sweeperIgnoresLease(Store store) {
        return new MutantStore(store) {
            @Override
            public SweepResult sweep(Duration grace, int limit) {
                return super.sweep(grace.minus(Duration.ofHours(1)), limit);
            }
        };
    }

    /** Abandoned claims are never settled. */
    static Store nobodySweeps(Store store) {
        return new MutantStore(store) {
            @Override
            public SweepResult sweep(Duration grace, int limit) {
                return new SweepResult(0, 0, false);
            }
        };
    }

    /** Refuses a part of what it has claimed, as a store does that is overloaded. */
    static Store claimsForNobody(Store store) {
        return new MutantStore(store) {
            @Override
            ClaimResponse claim(ClaimRequest request) {
                var answer = super.claim(request);
                return answer instanceof ClaimResponse.Acquired
                                && request.nonce().getLeastSignificantBits() % 4 == 0
                        ? new ClaimResponse.Failed(new StoreOverloadedException("Too much to do."))
                        : answer;
            }
        };
    }

    /** Looks only at leases that end after the latest moment it has swept, and so at none after its clock was ahead. */
    static Store sweeperBelievesItsMark(Store store, InstantSource clock) {
        return new MutantStore(store) {
            private Instant mark = Instant.MIN;

            @Override
            public SweepResult sweep(Duration grace, int limit) {
                var due = clock.instant().minus(grace);
                if (due.isBefore(mark)) {
                    return new SweepResult(0, 0, false);
                }
                mark = due;
                return super.sweep(grace, limit);
            }
        };
    }

    private static ClaimRequest alike(ClaimRequest request, StoredRecord record) {
        return record.fingerprint().map(request::withFingerprint).orElse(request);
    }
}
