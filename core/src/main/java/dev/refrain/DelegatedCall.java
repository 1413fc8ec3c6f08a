package dev.refrain;

import dev.refrain.api.OperationResult;
import dev.refrain.api.RefrainException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call that an edge has read, with its key and whose it is, and whose work says itself how it runs: a flow. The edge offers it to what
 * runs on its thread; whoever takes it says how it ended, and that is what the edge answers.
 */
public final class DelegatedCall implements AutoCloseable {

    private static final ThreadLocal<DelegatedCall> CURRENT = new ThreadLocal<>();

    private final Operation<?> operation;
    private final OperationCall call;
    private final @Nullable DelegatedCall around;
    private @Nullable OperationResult result;
    private @Nullable RefrainException failure;

    private DelegatedCall(Operation<?> operation, OperationCall call, @Nullable DelegatedCall around) {
        this.operation = operation;
        this.call = call;
        this.around = around;
    }

    /** Offered on this thread until it is closed. */
    public static DelegatedCall delegate(Operation<?> operation, OperationCall call) {
        var offered = new DelegatedCall(operation, call, CURRENT.get());
        CURRENT.set(offered);
        return offered;
    }

    /** What is offered on this thread; to be taken once. */
    public static Optional<DelegatedCall> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /** As the edge would run it. */
    public Operation<?> operation() {
        return operation;
    }

    public OperationCall call() {
        return call;
    }

    /** It was taken, and ended so. */
    public void complete(OperationResult how) {
        if (result != null) {
            throw new IllegalStateException("One call is one intent: two flows cannot both be its answer.");
        }
        result = how;
    }

    /** It was taken, and it cannot be said how it ended. */
    public void fail(RefrainException why) {
        failure = why;
    }

    public Optional<OperationResult> result() {
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
