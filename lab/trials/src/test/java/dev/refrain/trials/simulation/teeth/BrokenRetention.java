package dev.refrain.trials.simulation.teeth;

import dev.refrain.api.KeyHash;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** Mutants of retention and scope: how long records live, and whose they are. */
final class BrokenRetention {

    private BrokenRetention() {}

    /** Forgets records: the next claim under the same identity finds nothing. */
    private static class Forgetful extends RenamingStore {
        private final Map<KeyHash, Integer> generations = new HashMap<>();
        private final Map<KeyHash, ScopedKey> asked = new HashMap<>();

        Forgetful(Store store) {
            super(store);
        }

        @Override
        ScopedKey inner(ScopedKey identity) {
            asked.put(identity.hash(), identity);
            int generation = generations.getOrDefault(identity.hash(), 0);
            return new ScopedKey(identity.scope(), identity.namespace(), identity.key() + "~" + generation);
        }

        final void forget(KeyHash lookup) {
            generations.merge(lookup, 1, Integer::sum);
        }

        /** Forgets all of a kind, and tells how many those were. */
        final int forgetIf(Predicate<StoredRecord> kind) {
            int forgotten = 0;
            for (var lookup : known()) {
                if (find(asked.get(lookup)).filter(kind).isPresent()) {
                    forget(lookup);
                    forgotten++;
                }
            }
            return forgotten;
        }
    }

    /** The reaper deletes unfinished keys too. */
    static Store reaperTakesWhatRuns(Store store) {
        return new Forgetful(store) {
            @Override
            public int reap(int limit) {
                int more = forgetIf(r -> r.state() == RecordState.IN_PROGRESS);
                return super.reap(limit) + more;
            }
        };
    }

    /** An erasure deletes the bare record too: what is erased is paid again. */
    static Store erasureDeletes(Store store) {
        return new Forgetful(store) {
            @Override
            public ErasureResult erase(ErasureRequest order) {
                var erased = super.erase(order);
                forgetIf(r -> r.fingerprint().isEmpty());
                return erased;
            }
        };
    }

    /** An erasure takes what runs too. */
    static Store erasureTakesWhatRuns(Store store) {
        return new Forgetful(store) {
            @Override
            public ErasureResult erase(ErasureRequest order) {
                int more = forgetIf(r -> r.state() == RecordState.IN_PROGRESS);
                var erased = super.erase(order);
                return new ErasureResult(erased.erased() + more, erased.leftInUse(), erased.hasMore());
            }
        };
    }

    /** A release deletes the record, and with it the id from which downstream keys are made. */
    static Store releaseDeletes(Store store) {
        return new Forgetful(store) {
            @Override
            RecordWriteResponse write(RecordWrite write) {
                var answer = super.write(write);
                if (write instanceof RecordWrite.Release && answer instanceof RecordWriteResponse.Written) {
                    forget(write.claim().lookup());
                }
                return answer;
            }
        };
    }

    /** Keys are global to the service: tenants collide. */
    static Store scopesCollide(Store store) {
        return new RenamingStore(store) {
            @Override
            ScopedKey inner(ScopedKey identity) {
                return new ScopedKey("", identity.namespace(), identity.key());
            }
        };
    }

    /** Quotas are never full. */
    static Store scopeIsNeverFull(Store store) {
        return new MutantStore(store) {
            @Override
            public long countKeys(String scope, long upTo) {
                return 0;
            }
        };
    }

    /** Quotas are always full. */
    static Store scopeIsAlwaysFull(Store store) {
        return new MutantStore(store) {
            @Override
            public long countKeys(String scope, long upTo) {
                return upTo;
            }
        };
    }
}
