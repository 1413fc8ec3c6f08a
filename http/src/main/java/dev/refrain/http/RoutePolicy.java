package dev.refrain.http;

import java.util.function.UnaryOperator;

/**
 * Complete policy of a route. Immutable; everything but the mode has a default.
 * {@snippet :
 * RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.RESUME))
 *         .key(key -> key.with(KeyRequirement.OPTIONAL))
 *         .run(run -> run.with(new InFlightPolicy.Wait(Duration.ofSeconds(5))))
 *         .replay(replay -> replay.with(OutcomeProfile.STRIPE));
 * }
 *
 * @param marksReplays whether a replay carries {@code Idempotent-Replayed: true}
 */
public record RoutePolicy(
        KeyPolicy key, HandlerRunPolicy run, ReplayPolicy replay, RequestBodyPolicy request, boolean marksReplays) {

    public RoutePolicy {
        if (replay.retention().isShorterThan(replay.clientRetryWindow())) {
            throw new IllegalArgumentException(
                    "retention is shorter than client-retry-window (" + replay.clientRetryWindow()
                            + "): a late retry would run again. Raise retention, or lower client-retry-window.");
        }
        if (run.mode() instanceof OperationMode.Flow && key.requirement() == KeyRequirement.OBSERVE) {
            throw new IllegalArgumentException(
                    "key-requirement: observe does not go with mode flow: a flow always runs under a key. Use mint.");
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
