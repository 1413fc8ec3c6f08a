package dev.refrain.http;

import java.util.function.UnaryOperator;

/**
 * What holds for a route. Immutable; every value but the mode has the protocol's default.
 *
 * {@snippet :
 * RoutePolicy.of(OperationMode.leased(TakeOver.RESUME))
 *         .key(key -> key.with(KeyRequirement.OPTIONAL))
 *         .run(run -> run.with(new InFlightPolicy.Wait(Duration.ofSeconds(5))))
 *         .keep(keep -> keep.with(Profile.STRIPE));
 * }
 *
 * @param marksReplays whether a replay says so, by {@code Idempotent-Replayed: true}
 */
public record RoutePolicy(
        KeyPolicy key, HandlerRunPolicy run, ReplayPolicy replay, RequestBodyPolicy request, boolean marksReplays) {

    public RoutePolicy {
        if (replay.retention().isShorterThan(replay.retryWindow())) {
            throw new IllegalArgumentException("keep.retention is shorter than keep.retry-window ("
                    + replay.retryWindow() + "): a late retry would run again.");
        }
        if (run.mode() instanceof OperationMode.Flow && key.requirement() == KeyRequirement.OBSERVE) {
            throw new IllegalArgumentException(
                    "key: observe does not go with a flow, which always runs under a key; use mint.");
        }
        if (run.mode() instanceof OperationMode.Flow && key.requirement() == KeyRequirement.OPTIONAL) {
            key = key.with(KeyRequirement.MINT);
        }
    }

    public static RoutePolicy of(OperationMode mode) {
        return new RoutePolicy(
                KeyPolicy.DEFAULT, HandlerRunPolicy.of(mode), ReplayPolicy.DEFAULT, RequestBodyPolicy.DEFAULT, true);
    }

    public RoutePolicy key(UnaryOperator<KeyPolicy> change) {
        return new RoutePolicy(change.apply(key), run, replay, request, marksReplays);
    }

    public RoutePolicy run(UnaryOperator<HandlerRunPolicy> change) {
        return new RoutePolicy(key, change.apply(run), replay, request, marksReplays);
    }

    public RoutePolicy replay(UnaryOperator<ReplayPolicy> change) {
        return new RoutePolicy(key, run, change.apply(replay), request, marksReplays);
    }

    public RoutePolicy request(UnaryOperator<RequestBodyPolicy> change) {
        return new RoutePolicy(key, run, replay, change.apply(request), marksReplays);
    }

    public RoutePolicy withoutReplayHeader() {
        return new RoutePolicy(key, run, replay, request, false);
    }
}
