package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;

import dev.refrain.store.StoredRecord;

/** Every kind of record that a claim can find. Those that let time pass come first, so that a test can create several. */
enum SampleRecord {
    LEASE_OVER_RESUME {
        @Override
        StoredRecord create(StoreTestClient probe, String key) {
            probe.expectAcquired(resumableRequest(key));
            probe.advanceTime(LEASE);
            return probe.expectPresent(key);
        }
    },
    LEASE_OVER_HOLD {
        @Override
        StoredRecord create(StoreTestClient probe, String key) {
            probe.expectAcquired(heldRequest(key));
            probe.advanceTime(LEASE);
            return probe.expectPresent(key);
        }
    },
    RUNNING {
        @Override
        StoredRecord create(StoreTestClient probe, String key) {
            return probe.expectAcquired(resumableRequest(key));
        }
    },
    RELEASED {
        @Override
        StoredRecord create(StoreTestClient probe, String key) {
            return probe.claimAndRelease(resumableRequest(key));
        }
    },
    COMPLETED {
        @Override
        StoredRecord create(StoreTestClient probe, String key) {
            return probe.claimAndComplete(resumableRequest(key), "done");
        }
    },
    ATTENTION {
        @Override
        StoredRecord create(StoreTestClient probe, String key) {
            return probe.claimAndEscalate(heldRequest(key), "the connection broke");
        }
    };

    /** Creates such a record and returns it. */
    abstract StoredRecord create(StoreTestClient probe, String key);
}
