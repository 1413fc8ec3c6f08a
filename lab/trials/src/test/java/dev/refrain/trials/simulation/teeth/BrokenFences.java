package dev.refrain.trials.simulation.teeth;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Mutants of fences: who may write. */
final class BrokenFences {

    private BrokenFences() {}

    /** Completes match on the key alone: a stalled first runner completes the second one's claim. */
    static Store completeIgnoresFence(Store store) {
        return new MutantStore(store) {
            @Override
            RecordWriteResponse write(RecordWrite write) {
                return super.write(write instanceof RecordWrite.Complete ? asCurrent(this, write) : write);
            }
        };
    }

    /** Releases match on the key alone: a stalled first runner frees the second one's claim. */
    static Store releaseIgnoresFence(Store store) {
        return new MutantStore(store) {
            @Override
            RecordWriteResponse write(RecordWrite write) {
                return super.write(write instanceof RecordWrite.Release ? asCurrent(this, write) : write);
            }
        };
    }

    /** Takeover keeps the fence of the claim before. */
    static Store takeoverKeepsFence(Store store) {
        return new MutantStore(store) {
            @Override
            ClaimResponse claim(ClaimRequest request) {
                return switch (super.claim(request)) {
                    case ClaimResponse.Acquired a -> new ClaimResponse.Acquired(ForgedRecords.fence(a.record(), 1));
                    case ClaimResponse.Found f -> new ClaimResponse.Found(ForgedRecords.fence(f.record(), 1));
                    case ClaimResponse.LockedByTransaction u -> u;
                    case ClaimResponse.Failed f -> f;
                };
            }

            @Override
            RecordWriteResponse write(RecordWrite write) {
                return super.write(asCurrent(this, write));
            }

            @Override
            Optional<StoredRecord> find(ScopedKey identity) {
                return super.find(identity).map(r -> ForgedRecords.fence(r, 1));
            }

            @Override
            public RecordWriteResponse resolve(dev.refrain.store.Resolution resolution) {
                return new RecordWriteResponse.Refused(Optional.empty());
            }
        };
    }

    /** A late runner overwrites what a person has resolved. */
    static Store completeAfterResolution(Store store) {
        return new MutantStore(store) {
            private final Map<KeyHash, Optional<Payload>> overwritten = new HashMap<>();

            @Override
            RecordWriteResponse write(RecordWrite write) {
                var answer = super.write(write);
                var there = truth(write.claim().lookup());
                if (write instanceof RecordWrite.Complete complete
                        && answer instanceof RecordWriteResponse.Refused
                        && there.filter(r -> r.state() == RecordState.COMPLETED
                                        && r.id().equals(write.claim().id()))
                                .isPresent()) {
                    overwritten.put(write.claim().lookup(), complete.outcome());
                    return new RecordWriteResponse.Written();
                }
                return answer;
            }

            @Override
            ClaimResponse claim(ClaimRequest request) {
                var answer = super.claim(request);
                return answer instanceof ClaimResponse.Found found
                        ? new ClaimResponse.Found(forge(found.record()))
                        : answer;
            }

            @Override
            Optional<StoredRecord> find(ScopedKey identity) {
                return super.find(identity).map(this::forge);
            }

            private StoredRecord forge(StoredRecord r) {
                var other = overwritten.get(r.lookup());
                return other == null || r.state() != RecordState.COMPLETED
                        ? r
                        : r.withPayloads(
                                other.orElse(null),
                                r.request().orElse(null),
                                r.carried().orElse(null));
            }
        };
    }

    static RecordWrite asCurrent(MutantStore store, RecordWrite write) {
        return store.truth(write.claim().lookup())
                .map(r -> ForgedRecords.claim(write, new ClaimRef(r.lookup(), r.id(), r.fence())))
                .orElse(write);
    }
}
