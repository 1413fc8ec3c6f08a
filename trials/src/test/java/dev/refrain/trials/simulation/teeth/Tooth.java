package dev.refrain.trials.simulation.teeth;

import dev.refrain.store.Store;
import java.util.function.UnaryOperator;

/** One rule of the protocol, broken. */
enum Tooth {
    COMPLETE_IGNORES_FENCE(BrokenFences::completeIgnoresFence),
    RELEASE_IGNORES_FENCE(BrokenFences::releaseIgnoresFence),
    TAKEOVER_KEEPS_FENCE(BrokenFences::takeoverKeepsFence),
    COMPLETE_AFTER_RESOLUTION(BrokenFences::completeAfterResolution),
    LEASE_IGNORED(BrokenClaims::leaseIgnored),
    EVERYONE_WINS(BrokenClaims::everyoneWins),
    OTHER_REQUEST_CLAIMS(BrokenClaims::otherRequestClaims),
    OTHER_REQUEST_IS_ANSWERED(BrokenClaims::otherRequestIsAnswered),
    HOLD_RESUMES(BrokenClaims::holdResumes),
    ATTENTION_IS_CLAIMED(BrokenClaims::attentionIsClaimed),
    SWEEPER_IGNORES_LEASE(BrokenClaims::sweeperIgnoresLease),
    NOBODY_SWEEPS(BrokenClaims::nobodySweeps),
    BYTES_ARE_LOST(BrokenOutcomes::bytesAreLost),
    LIFE_IS_TOO_LONG(BrokenOutcomes::lifeIsTooLong),
    COMPLETION_IS_LOST(BrokenOutcomes::completionIsLost),
    REAPER_TAKES_WHAT_RUNS(BrokenLives::reaperTakesWhatRuns),
    RELEASE_DELETES(BrokenLives::releaseDeletes),
    SCOPES_COLLIDE(BrokenLives::scopesCollide);

    final UnaryOperator<Store> tampering;

    Tooth(UnaryOperator<Store> tampering) {
        this.tampering = tampering;
    }
}
