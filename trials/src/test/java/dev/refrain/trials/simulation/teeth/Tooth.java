package dev.refrain.trials.simulation.teeth;

import dev.refrain.store.Store;
import java.util.function.UnaryOperator;

/** One rule of the protocol, broken. */
enum Tooth {
    COMPLETE_IGNORES_FENCE(BrokenFences::completeIgnoresFence, Consequence.OUTWEIGHED),
    RELEASE_IGNORES_FENCE(BrokenFences::releaseIgnoresFence, Consequence.OUTWEIGHED),
    TAKEOVER_KEEPS_FENCE(BrokenFences::takeoverKeepsFence, Consequence.SEEN_OUTSIDE),
    COMPLETE_AFTER_RESOLUTION(BrokenFences::completeAfterResolution, Consequence.SEEN_OUTSIDE),
    LEASE_IGNORED(BrokenClaims::leaseIgnored, Consequence.SEEN_OUTSIDE),
    EVERYONE_WINS(BrokenClaims::everyoneWins, Consequence.SEEN_OUTSIDE),
    OTHER_REQUEST_CLAIMS(BrokenClaims::otherRequestClaims, Consequence.SEEN_OUTSIDE),
    OTHER_REQUEST_IS_ANSWERED(BrokenClaims::otherRequestIsAnswered, Consequence.SEEN_OUTSIDE),
    HOLD_RESUMES(BrokenClaims::holdResumes, Consequence.SEEN_OUTSIDE),
    ATTENTION_IS_CLAIMED(BrokenClaims::attentionIsClaimed, Consequence.SEEN_OUTSIDE),
    SWEEPER_IGNORES_LEASE(BrokenClaims::sweeperIgnoresLease, Consequence.OUTWEIGHED),
    NOBODY_SWEEPS(BrokenClaims::nobodySweeps, Consequence.SEEN_OUTSIDE),
    BYTES_ARE_LOST(BrokenOutcomes::bytesAreLost, Consequence.SEEN_OUTSIDE),
    LIFE_IS_TOO_LONG(BrokenOutcomes::lifeIsTooLong, Consequence.SEEN_OUTSIDE),
    COMPLETION_IS_LOST(BrokenOutcomes::completionIsLost, Consequence.SEEN_OUTSIDE),
    KEPT_AS_USUAL(BrokenOutcomes::keptAsUsual, Consequence.SEEN_OUTSIDE),
    REAPER_TAKES_WHAT_RUNS(BrokenLives::reaperTakesWhatRuns, Consequence.SEEN_OUTSIDE),
    ERASURE_DELETES(BrokenLives::erasureDeletes, Consequence.SEEN_OUTSIDE),
    ERASURE_TAKES_WHAT_RUNS(BrokenLives::erasureTakesWhatRuns, Consequence.SEEN_OUTSIDE),
    RELEASE_DELETES(BrokenLives::releaseDeletes, Consequence.SEEN_OUTSIDE),
    SCOPES_COLLIDE(BrokenLives::scopesCollide, Consequence.SEEN_OUTSIDE);

    /** Who notices. */
    enum Consequence {
        /** Callers, providers or operators do, sooner or later. */
        SEEN_OUTSIDE,
        /** Seldom anyone: another guard (the provider's own keys, the first outcome standing) makes good for it. */
        OUTWEIGHED
    }

    final UnaryOperator<Store> tampering;
    final Consequence consequence;

    Tooth(UnaryOperator<Store> tampering, Consequence consequence) {
        this.tampering = tampering;
        this.consequence = consequence;
    }
}
