package dev.refrain.store.jdbc.internal.record;

import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.StoreException;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Names of operations, which records hold by reference. A name is looked up once in each process, and is given a number if it has none; never
 * in the transaction of a caller, who may roll it back, except where there is only one writer. Names explain records and decide nothing: one
 * that cannot be had is left out. Thread-safe.
 */
public final class OperationNames {

    private static final System.Logger LOG = System.getLogger(OperationNames.class.getName());

    /** A client that could make names of its own would fill the table. */
    static final int MAX_NAMES = 10_000;

    private static final ParameterizedScript<String> OPERATION =
            ParameterizedScript.<String>script("operation").text("name", name -> name);

    private record OperationStep(long operation, String step) {}

    private static final ParameterizedScript<OperationStep> STEP = ParameterizedScript.<OperationStep>script(
                    "operation_step")
            .number("operation", OperationStep::operation)
            .text("step", OperationStep::step);

    /** Something to ask on the connection that it is given. */
    @FunctionalInterface
    public interface LearningQuestion {
        void ask(SqlSession session) throws SQLException;
    }

    private record KnownOperation(long id, Set<String> steps) {

        boolean covers(ClaimOrigin origin) {
            return steps.containsAll(origin.steps());
        }
    }

    private final Map<String, KnownOperation> known = new ConcurrentHashMap<>();
    private final AtomicBoolean reportedFull = new AtomicBoolean();

    /** Learns the names of these claims that are not known yet, on a connection that commits each statement. */
    void learn(SqlSession session, List<ClaimRequest> requests) throws SQLException {
        for (var request : requests) {
            learn(session, request.origin());
        }
    }

    /** Learns the name of this operation and its steps, on a connection that commits each statement. */
    public void learn(SqlSession session, ClaimOrigin origin) throws SQLException {
        var before = known.get(origin.operation());
        if (origin.operation().isEmpty() || (before == null ? isFull() : before.covers(origin))) {
            return;
        }
        long id = before == null ? idOf(session, origin.operation()) : before.id();
        var steps = new LinkedHashSet<>(before == null ? Set.of() : before.steps());
        for (String step : origin.steps()) {
            if (steps.add(step)) {
                session.run(STEP, new OperationStep(id, step), c -> step);
            }
        }
        known.put(origin.operation(), new KnownOperation(id, Set.copyOf(steps)));
    }

    /** The number of a claim's operation, as far as it is known. */
    OptionalLong idOf(ClaimRequest request) {
        var operation = known.get(request.origin().operation());
        return operation == null ? OptionalLong.empty() : OptionalLong.of(operation.id());
    }

    /** The number of a claim's operation, learned on the store's own connection if need be. */
    public OptionalLong idOf(ClaimRequest request, StoreConnection own) {
        if (!isKnown(request)) {
            try {
                own.write(session -> learn(session, request.origin()));
            } catch (StoreException away) {
                LOG.log(System.Logger.Level.DEBUG, "An operation's name could not be stored", away);
            }
        }
        return idOf(request);
    }

    /** The same inside a transaction that may be rolled back, where nobody else could write: nothing of it is remembered. */
    public OptionalLong idWithin(SqlSession transaction, ClaimRequest request) throws SQLException {
        var learned = idOf(request);
        return learned.isPresent() || request.origin().operation().isEmpty() || isFull()
                ? learned
                : OptionalLong.of(idOf(transaction, request.origin().operation()));
    }

    private boolean isKnown(ClaimRequest request) {
        var operation = known.get(request.origin().operation());
        return request.origin().operation().isEmpty() || (operation != null && operation.covers(request.origin()));
    }

    private static long idOf(SqlSession session, String name) throws SQLException {
        return session.run(OPERATION, name, c -> c.number("id")).getFirst();
    }

    private boolean isFull() {
        boolean full = known.size() >= MAX_NAMES;
        if (full && reportedFull.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "There are " + MAX_NAMES + " names of operations; records of further ones do not say theirs."
                            + " Give operations names without data in them.");
        }
        return full;
    }

    /** A connection of the store's own, outside of every transaction of a caller. */
    @FunctionalInterface
    public interface StoreConnection {
        void write(LearningQuestion question);
    }
}
