package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;

import dev.refrain.api.ClaimRef;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;

/** Every kind of write, one sample each, and the state it leads to. */
enum SampleWrite {
    COMPLETE(RecordState.COMPLETED) {
        @Override
        RecordWrite of(ClaimRef claim) {
            return StoreTestData.complete(claim, "written by " + claim.fence());
        }
    },
    RELEASE(RecordState.RELEASED) {
        @Override
        RecordWrite of(ClaimRef claim) {
            return new RecordWrite.Release(claim);
        }
    },
    ESCALATE(RecordState.ATTENTION) {
        @Override
        RecordWrite of(ClaimRef claim) {
            return new RecordWrite.Escalate(claim, "sent by " + claim.fence());
        }
    },
    CHECKPOINT(RecordState.IN_PROGRESS) {
        @Override
        RecordWrite of(ClaimRef claim) {
            return StoreTestData.checkpoint(claim, "point-of-" + claim.fence(), "carried by " + claim.fence());
        }
    },
    RENEW(RecordState.IN_PROGRESS) {
        @Override
        RecordWrite of(ClaimRef claim) {
            return new RecordWrite.Renew(claim, LEASE);
        }
    };

    private final RecordState resultingState;

    SampleWrite(RecordState leadsTo) {
        this.resultingState = leadsTo;
    }

    RecordState resultingState() {
        return resultingState;
    }

    abstract RecordWrite of(ClaimRef claim);
}
