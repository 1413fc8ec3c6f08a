package dev.refrain;

import dev.refrain.api.OperationResult;
import dev.refrain.api.RefrainException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Call that an edge passes to a flow, with its key and scope, because the flow chooses how it runs. The edge offers the call on
 * its thread; the flow that accepts it reports the result, and the edge responds with that.
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

    /** Offers a call on this thread until the returned object is closed. */
    public static DelegatedCall delegate(Operation<?> operation, OperationCall call) {
        var offered = new DelegatedCall(operation, call, CURRENT.get());
        CURRENT.set(offered);
        return offered;
    }

    /** Returns the call offered on this thread; it can be accepted once. */
    public static Optional<DelegatedCall> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /** Returns the operation as the edge would run it. */
    public Operation<?> operation() {
        return operation;
    }

    public OperationCall call() {
        return call;
    }

    /** Accepts the call and reports its result. */
    public void complete(OperationResult how) {
        if (result != null) {
            throw new IllegalStateException("A second flow tried to complete the same call. Run one flow per call.");
        }
        result = how;
    }

    /** Accepts the call and reports that its result is unknown. */
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
