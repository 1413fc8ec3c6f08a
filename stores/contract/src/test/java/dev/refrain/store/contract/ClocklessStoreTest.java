package dev.refrain.store.contract;

import dev.refrain.api.ClaimRef;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.Store;
import dev.refrain.store.StoreClock;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The suite is passed by a store without a clock, whose handles know of a lease only what they have seen, and whose times are whole
 * seconds.
 */
class ClocklessStoreTest extends StoreContract
        implements CompletionContract, ErasureContract, AuditTrailContract, CountsContract, KeptRequestContract {

    @Override
    protected StoreHarness newHarness() {
        return new ClocklessHarness();
    }

    private static final class ClocklessHarness implements StoreHarness {

        private Instant now = Instant.parse("2026-01-01T00:00:00Z");
        private final Store data = new MemoryStore(() -> now);
        private final Set<ClaimRef> claims = ConcurrentHashMap.newKeySet();
        private final List<ClocklessHandle> handles = new ArrayList<>();

        @Override
        public Store open() {
            return openSecond();
        }

        @Override
        public Store openSecond() {
            var handle = new ClocklessHandle(data, claims);
            handles.add(handle);
            return handle;
        }

        @Override
        public void advanceTime(Duration time) {
            handles.forEach(handle -> handle.seen.addAll(claims));
            now = now.plus(time);
        }

        @Override
        public void close() {
            data.close();
        }
    }

    private static final class ClocklessHandle extends FlawedStore {

        private final Set<ClaimRef> claims;
        final Set<ClaimRef> seen = ConcurrentHashMap.newKeySet();

        /** @param claims all that were ever made, through any handle */
        ClocklessHandle(Store data, Set<ClaimRef> claims) {
            super(data);
            this.claims = claims;
        }

        @Override
        public StoreTraits traits() {
            var traits = super.traits();
            return new StoreTraits("no clock", traits.correct(), traits.durable(), StoreClock.NONE, traits.limits());
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            var running = sound.find(List.of(request.identity())).getFirst().filter(this::mayStillRun);
            return running.isPresent() ? new ClaimResponse.Found(running.get()) : super.claimOne(request);
        }

        /** By the data's clock its lease is over, and this handle has not seen that. */
        private boolean mayStillRun(StoredRecord record) {
            return record.state() == RecordState.IN_PROGRESS
                    && record.isLeaseExpired()
                    && !seen.contains(record.claim());
        }

        @Override
        StoredRecord shown(StoredRecord record) {
            claims.add(record.claim());
            var lease = mayStillRun(record) ? StoreTestData.LEASE : record.remainingLease();
            return AlteredRecords.withTimesLeft(
                    record, roundedUp(lease), record.remainingLife().map(ClocklessHandle::roundedUp));
        }

        /** As if the time ended on a whole second and it were 400 ms past one. */
        private static Duration roundedUp(Duration exact) {
            return exact.isPositive() ? exact.plusMillis(600) : exact;
        }
    }
}
