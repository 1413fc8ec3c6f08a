package dev.refrain.trials.simulation.teeth;

import dev.refrain.store.Store;
import dev.refrain.trials.simulation.law.SimulatedGuarantee;
import dev.refrain.trials.simulation.world.SimulationMutation;
import java.util.function.UnaryOperator;

/** Mutants, each of which breaks one rule of the protocol. */
enum ProtocolMutant {
    COMPLETE_IGNORES_FENCE(BrokenFences::completeIgnoresFence, Consequence.OUTWEIGHED),
    RELEASE_IGNORES_FENCE(BrokenFences::releaseIgnoresFence, Consequence.OUTWEIGHED),
    TAKEOVER_KEEPS_FENCE(BrokenFences::takeoverKeepsFence, Consequence.SEEN_OUTSIDE),
    COMPLETE_AFTER_RESOLUTION(BrokenFences::completeAfterResolution, Consequence.SEEN_OUTSIDE),
    LEASE_IGNORED(BrokenClaims::leaseIgnored, Consequence.SEEN_OUTSIDE),
    EVERYONE_WINS(BrokenClaims::everyoneWins, Consequence.SEEN_OUTSIDE),
    STORE_SAYS_THAT_IT_IS_AWAY(BrokenClaims::saysThatItIsAway, Consequence.SEEN_OUTSIDE),
    OTHER_REQUEST_CLAIMS(BrokenClaims::otherRequestClaims, Consequence.SEEN_OUTSIDE),
    OTHER_REQUEST_IS_ANSWERED(BrokenClaims::otherRequestIsAnswered, Consequence.SEEN_OUTSIDE),
    HOLD_RESUMES(BrokenClaims::holdResumes, Consequence.SEEN_OUTSIDE),
    ATTENTION_IS_CLAIMED(BrokenClaims::attentionIsClaimed, Consequence.SEEN_OUTSIDE),
    SWEEPER_IGNORES_LEASE(BrokenClaims::sweeperIgnoresLease, Consequence.OUTWEIGHED),
    NOBODY_SWEEPS(BrokenClaims::nobodySweeps, Consequence.SEEN_OUTSIDE),
    SWEEPER_BELIEVES_A_CLOCK_THAT_WAS_AHEAD(
            SimulationMutation.withStoreAndClock(BrokenClaims::sweeperBelievesItsMark), Consequence.SEEN_OUTSIDE),
    CLAIMS_FOR_NOBODY(BrokenClaims::claimsForNobody, Consequence.SEEN_OUTSIDE),
    TRANSACTION_IS_LEFT_RUNNING(
            SimulationMutation.withTransactionRunTime(agreed -> agreed.plusHours(1)), Consequence.SEEN_OUTSIDE),
    BYTES_ARE_LOST(BrokenOutcomes::bytesAreLost, Consequence.SEEN_OUTSIDE),
    LIFE_IS_TOO_LONG(BrokenOutcomes::lifeIsTooLong, Consequence.SEEN_OUTSIDE),
    COMPLETION_IS_LOST(BrokenOutcomes::completionIsLost, Consequence.SEEN_OUTSIDE),
    KEPT_AS_USUAL(BrokenOutcomes::keptAsUsual, Consequence.SEEN_OUTSIDE),
    REAPER_TAKES_WHAT_RUNS(BrokenRetention::reaperTakesWhatRuns, Consequence.SEEN_OUTSIDE),
    ERASURE_DELETES(BrokenRetention::erasureDeletes, Consequence.SEEN_OUTSIDE),
    ERASURE_TAKES_WHAT_RUNS(BrokenRetention::erasureTakesWhatRuns, Consequence.SEEN_OUTSIDE),
    RELEASE_DELETES(BrokenRetention::releaseDeletes, Consequence.SEEN_OUTSIDE),
    SCOPES_COLLIDE(BrokenRetention::scopesCollide, Consequence.SEEN_OUTSIDE),
    SCOPE_IS_NEVER_FULL(BrokenRetention::scopeIsNeverFull, Consequence.SEEN_OUTSIDE),
    SCOPE_IS_ALWAYS_FULL(BrokenRetention::scopeIsAlwaysFull, Consequence.SEEN_OUTSIDE),
    CHECKPOINT_IGNORES_FENCE(BrokenFlows::checkpointIgnoresFence, Consequence.SEEN_OUTSIDE),
    CALL_IS_NOT_ANNOUNCED(BrokenFlows::callIsNotAnnounced, Consequence.SEEN_OUTSIDE),
    POINT_IS_FORGOTTEN(BrokenFlows::pointIsForgotten, Consequence.SEEN_OUTSIDE),
    COMPLETER_TAKES_WHAT_RUNS(BrokenFlows::completerTakesWhatRuns, Consequence.OUTWEIGHED),
    NOBODY_COMPLETES(BrokenFlows::nobodyCompletes, Consequence.SEEN_OUTSIDE),
    LOOKUP_IS_SKIPPED(BrokenFlows.sentAgainTo(SimulatedGuarantee.LOOKUP), Consequence.SEEN_OUTSIDE),
    MEMORY_IS_IGNORED(BrokenFlows.sentAgainTo(SimulatedGuarantee.KEYS_FOR_A_WHILE), Consequence.SEEN_OUTSIDE),
    BLIND_IS_TOLD_TWICE(BrokenFlows.sentAgainTo(SimulatedGuarantee.NOTHING), Consequence.SEEN_OUTSIDE),
    RELAY_MARKS_FIRST(BrokenRelay.MARKS_FIRST),
    RELAY_FORGETS_WHAT_CRASHED(BrokenRelay.FORGETS_WHAT_CRASHED),
    RELAY_NEVER_MARKS(BrokenRelay.NEVER_MARKS),
    RELAY_FORGETS_THAT_IT_SENT(BrokenRelay.FORGETS_THAT_IT_SENT),
    RELAY_KEEPS_NO_ORDER(BrokenRelay.KEEPS_NO_ORDER);

    /** Observers that notice a mutant. */
    enum Consequence {
        /** Callers, providers or operators notice it, sooner or later. */
        SEEN_OUTSIDE,
        /** Seldom noticed outside: another guard (the provider's own keys, the first outcome standing) compensates. */
        OUTWEIGHED
    }

    final SimulationMutation tampering;
    final Consequence consequence;

    ProtocolMutant(UnaryOperator<Store> tampering, Consequence consequence) {
        this(SimulationMutation.withStore(tampering), consequence);
    }

    ProtocolMutant(BrokenRelay relay) {
        this(SimulationMutation.withOutbox(relay), Consequence.SEEN_OUTSIDE);
    }

    ProtocolMutant(SimulationMutation tampering, Consequence consequence) {
        this.tampering = tampering;
        this.consequence = consequence;
    }
}
