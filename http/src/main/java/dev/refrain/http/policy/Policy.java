package dev.refrain.http.policy;

import java.util.function.UnaryOperator;

/**
 * What holds for a route. Immutable; every value but the mode has the protocol's default.
 *
 * {@snippet :
 * Policy.of(Mode.leased(TakeOver.RESUME))
 *         .key(key -> key.with(Requirement.OPTIONAL))
 *         .run(run -> run.with(new InFlightPolicy.Wait(Duration.ofSeconds(5))))
 *         .keep(keep -> keep.with(Profile.STRIPE));
 * }
 *
 * @param marksReplays whether a replay says so, by {@code Idempotent-Replayed: true}
 */
public record Policy(KeyPolicy key, RunPolicy run, KeepPolicy replay, RequestPolicy request, boolean marksReplays) {

    public Policy {
        if (replay.retention().isShorterThan(replay.retryWindow())) {
            throw new IllegalArgumentException("keep.retention is shorter than keep.retry-window (" + replay.retryWindow()
                    + "): a late retry would run again.");
        }
        if (run.mode() instanceof Mode.Flow && key.requirement() == Requirement.OBSERVE) {
            throw new IllegalArgumentException(
                    "key: observe does not go with a flow, which always runs under a key; use mint.");
        }
        if (run.mode() instanceof Mode.Flow && key.requirement() == Requirement.OPTIONAL) {
            key = key.with(Requirement.MINT);
        }
    }

    public static Policy of(Mode mode) {
        return new Policy(KeyPolicy.DEFAULT, RunPolicy.of(mode), KeepPolicy.DEFAULT, RequestPolicy.DEFAULT, true);
    }

    public Policy key(UnaryOperator<KeyPolicy> change) {
        return new Policy(change.apply(key), run, replay, request, marksReplays);
    }

    public Policy run(UnaryOperator<RunPolicy> change) {
        return new Policy(key, change.apply(run), replay, request, marksReplays);
    }

    public Policy replay(UnaryOperator<KeepPolicy> change) {
        return new Policy(key, run, change.apply(replay), request, marksReplays);
    }

    public Policy request(UnaryOperator<RequestPolicy> change) {
        return new Policy(key, run, replay, change.apply(request), marksReplays);
    }

    public Policy withoutReplayHeader() {
        return new Policy(key, run, replay, request, false);
    }
}
