package dev.refrain;

import dev.refrain.run.RunResult;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call that an edge has read, with its key and whose it is, and whose work says itself how it runs: a flow. The edge offers it to what
 * runs on its thread; whoever takes it says how it ended, and that is what the edge answers.
 */
public final class OfferedCall implements AutoCloseable {

    private static final ThreadLocal<OfferedCall> CURRENT = new ThreadLocal<>();

    private final Operation<?> operation;
    private final Call call;
    private final @Nullable OfferedCall around;
    private @Nullable RunResult result;
    private @Nullable RefrainException failure;

    private OfferedCall(Operation<?> operation, Call call, @Nullable OfferedCall around) {
        this.operation = operation;
        this.call = call;
        this.around = around;
    }

    /** Offered on this thread until it is closed. */
    public static OfferedCall delegate(Operation<?> operation, Call call) {
        var offered = new OfferedCall(operation, call, CURRENT.get());
        CURRENT.set(offered);
        return offered;
    }

    /** What is offered on this thread; to be taken once. */
    public static Optional<OfferedCall> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /** As the edge would run it. */
    public Operation<?> operation() {
        return operation;
    }

    public Call call() {
        return call;
    }

    /** It was taken, and ended so. */
    public void complete(RunResult how) {
        if (result != null) {
            throw new IllegalStateException("One call is one intent: two flows cannot both be its answer.");
        }
        result = how;
    }

    /** It was taken, and it cannot be said how it ended. */
    public void fail(RefrainException why) {
        failure = why;
    }

    public Optional<RunResult> result() {
        return Optional.ofNullable(result);
    }

    public Optional<RefrainException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public void close() {
        if (around == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(around);
        }
    }
}
