package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.LEASE;
import static dev.refrain.store.contract.Samples.holding;
import static dev.refrain.store.contract.Samples.resuming;

import dev.refrain.store.StoredRecord;

/** Everything a claim can come upon. Those that let time pass are first, so that a test can bring about several. */
enum Situation {
    LEASE_OVER_RESUME {
        @Override
        StoredRecord bringAbout(Probe probe, String key) {
            probe.acquired(resuming(key));
            probe.letPass(LEASE);
            return probe.seen(key);
        }
    },
    LEASE_OVER_HOLD {
        @Override
        StoredRecord bringAbout(Probe probe, String key) {
            probe.acquired(holding(key));
            probe.letPass(LEASE);
            return probe.seen(key);
        }
    },
    RUNNING {
        @Override
        StoredRecord bringAbout(Probe probe, String key) {
            return probe.acquired(resuming(key));
        }
    },
    RELEASED {
        @Override
        StoredRecord bringAbout(Probe probe, String key) {
            return probe.released(resuming(key));
        }
    },
    COMPLETED {
        @Override
        StoredRecord bringAbout(Probe probe, String key) {
            return probe.completed(resuming(key), "done");
        }
    },
    ATTENTION {
        @Override
        StoredRecord bringAbout(Probe probe, String key) {
            return probe.escalated(holding(key), "the connection broke");
        }
    };

    /** Makes such a record, and answers what it looks like. */
    abstract StoredRecord bringAbout(Probe probe, String key);
}
