package dev.refrain.trials.simulation.teeth;

import dev.refrain.key.Identity;
import dev.refrain.key.Lookup;
import dev.refrain.outcome.Payload;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.State;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Who may write: broken in several ways. */
final class BrokenFences {

    private BrokenFences() {}

    /** Completes match on the key alone: a stalled first runner completes the second one's claim. */
    static Store completeIgnoresFence(Store store) {
        return new Tampered(store) {
            @Override
            WriteAnswer write(Write write) {
                return super.write(write instanceof Write.Complete ? asCurrent(this, write) : write);
            }
        };
    }

    /** Releases match on the key alone: a stalled first runner frees the second one's claim. */
    static Store releaseIgnoresFence(Store store) {
        return new Tampered(store) {
            @Override
            WriteAnswer write(Write write) {
                return super.write(write instanceof Write.Release ? asCurrent(this, write) : write);
            }
        };
    }

    /** Whoever takes over gets the fence of the one before. */
    static Store takeoverKeepsFence(Store store) {
        return new Tampered(store) {
            @Override
            ClaimAnswer claim(ClaimRequest request) {
                return switch (super.claim(request)) {
                    case ClaimAnswer.Acquired a -> new ClaimAnswer.Acquired(Forged.fence(a.record(), 1));
                    case ClaimAnswer.Found f -> new ClaimAnswer.Found(Forged.fence(f.record(), 1));
                    case ClaimAnswer.Unseen u -> u;
                };
            }

            @Override
            WriteAnswer write(Write write) {
                return super.write(asCurrent(this, write));
            }

            @Override
            Optional<StoredRecord> find(Identity identity) {
                return super.find(identity).map(r -> Forged.fence(r, 1));
            }

            @Override
            public WriteAnswer resolve(dev.refrain.store.Resolution resolution) {
                return new WriteAnswer.Refused(Optional.empty());
            }
        };
    }

    /** A late runner overwrites what a person has resolved. */
    static Store completeAfterResolution(Store store) {
        return new Tampered(store) {
            private final Map<Lookup, Optional<Payload>> overwritten = new HashMap<>();

            @Override
            WriteAnswer write(Write write) {
                var answer = super.write(write);
                var there = truth(write.claim().lookup());
                if (write instanceof Write.Complete complete
                        && answer instanceof WriteAnswer.Refused
                        && there.filter(r -> r.state() == State.COMPLETED
                                        && r.id().equals(write.claim().id()))
                                .isPresent()) {
                    overwritten.put(write.claim().lookup(), complete.outcome());
                    return new WriteAnswer.Written();
                }
                return answer;
            }

            @Override
            ClaimAnswer claim(ClaimRequest request) {
                var answer = super.claim(request);
                return answer instanceof ClaimAnswer.Found found
                        ? new ClaimAnswer.Found(forge(found.record()))
                        : answer;
            }

            @Override
            Optional<StoredRecord> find(Identity identity) {
                return super.find(identity).map(this::forge);
            }

            private StoredRecord forge(StoredRecord r) {
                var other = overwritten.get(r.lookup());
                return other == null || r.state() != State.COMPLETED
                        ? r
                        : r.withPayloads(other, r.request(), r.carried());
            }
        };
    }

    static Write asCurrent(Tampered store, Write write) {
        return store.truth(write.claim().lookup())
                .map(r -> Forged.claim(write, new ClaimRef(r.lookup(), r.id(), r.fence())))
                .orElse(write);
    }
}
