package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.LEASE;

import dev.refrain.store.ClaimRef;
import dev.refrain.store.State;
import dev.refrain.store.Write;

/** Every kind of write, one sample each, and the state it leads to. */
enum WriteKind {
    COMPLETE(State.COMPLETED) {
        @Override
        Write of(ClaimRef claim) {
            return Samples.complete(claim, "written by " + claim.fence());
        }
    },
    RELEASE(State.RELEASED) {
        @Override
        Write of(ClaimRef claim) {
            return new Write.Release(claim);
        }
    },
    ESCALATE(State.ATTENTION) {
        @Override
        Write of(ClaimRef claim) {
            return new Write.Escalate(claim, "sent by " + claim.fence());
        }
    },
    CHECKPOINT(State.IN_PROGRESS) {
        @Override
        Write of(ClaimRef claim) {
            return Samples.checkpoint(claim, "point-of-" + claim.fence(), "carried by " + claim.fence());
        }
    },
    RENEW(State.IN_PROGRESS) {
        @Override
        Write of(ClaimRef claim) {
            return new Write.Renew(claim, LEASE);
        }
    };

    private final State resultingState;

    WriteKind(State leadsTo) {
        this.resultingState = leadsTo;
    }

    State resultingState() {
        return resultingState;
    }

    abstract Write of(ClaimRef claim);
}
