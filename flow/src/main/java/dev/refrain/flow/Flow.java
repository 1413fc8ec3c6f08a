package dev.refrain.flow;

import dev.refrain.ResultType;
import dev.refrain.api.Downstream;
import dev.refrain.api.Retention;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Operation in phases that takes effect once per key although it calls other systems.
 *
 * {@snippet :
 * Flow<OrderRequest, Receipt, Connection> orders = Flow.of("orders.create", OrderRequest.class, Receipt.class)
 *         .phase("started", (tx, at) -> PhaseResult.goTo("ordered", insertOrder(tx, at.request())))
 *         .foreignCall("ordered", Downstream.honoursKeys(Duration.ofHours(24)),
 *                 call -> bank.charge(call.request().amount(), call.key()),
 *                 (tx, at, charge) -> charge.declined() ? PhaseResult.fail(402, charge) : PhaseResult.goTo("charged", charge.id()))
 *         .phase("charged", (tx, at) -> PhaseResult.finish(201, receipt(tx, at)))
 *         .build();
 * }
 *
 * <p>Each phase commits its writes together with the point that it leads to, so a retry continues after the last committed phase. Run it
 * with a {@link FlowRunner}. Immutable; safe for use by many threads.
 *
 * @param <R> the request
 * @param <T> the result
 * @param <C> the connection that a phase is given
 */
public final class Flow<R, T, C> {

    /**
     * Phase with writes of the application, in one transaction. It commits once, but may run more often if the database rolls it back. It
     * must not call other systems.
     */
    @FunctionalInterface
    public interface TransactionPhase<R, T, C> {
        PhaseResult<T> run(C tx, PhaseContext<R> at) throws Exception;
    }

    /** Sends a call to another system, with the call's key. */
    @FunctionalInterface
    public interface CallSender<R, A> {
        A send(ForeignCall<R> call) throws Exception;
    }

    /** Phase that records the answer of the other system, in one transaction like a {@link TransactionPhase}. */
    @FunctionalInterface
    public interface ResultPhase<R, T, C, A> {
        PhaseResult<T> run(C tx, PhaseContext<R> at, A answer) throws Exception;
    }

    /** Phase that runs if a phase or a call fails for good, after the failed one was rolled back. */
    @FunctionalInterface
    public interface FailurePhase<R, T, C> {
        PhaseResult<T> run(C tx, PhaseContext<R> at, PhaseFailure failed) throws Exception;
    }

    private final String name;
    private final Class<R> type;
    private final ResultType<T> resultType;
    private final String namespace;
    private final int version;
    private final Retention retention;
    private final Optional<Retention> outcomeRetention;
    private final Duration minimumLease;
    private final Optional<String> pointWithKeyExpiry;
    private final FlowGraph<R, T, C> graph;
    private final Map<Integer, Flow<R, T, C>> older;

    private Flow(Builder<R, T, C> builder) {
        name = builder.name;
        type = builder.type;
        resultType = builder.resultType;
        namespace = builder.namespace;
        version = builder.version;
        retention = builder.retention;
        outcomeRetention = builder.outcomeRetention;
        graph = new FlowGraph<>(name, builder.steps());
        minimumLease = builder.minimumLease();
        pointWithKeyExpiry = builder.firstPointWithKeyExpiry();
        older = Map.copyOf(builder.older);
        requireKeyRetention(retention);
    }

    /**
     * Declares a flow whose phases use JDBC connections.
     *
     * @param request the type of the request, decoded by the codec
     * @param result the type of the result, which {@link FlowRunner#run} returns; {@code Void.class} if there is none
     */
    public static <R, T> Builder<R, T, Connection> of(String name, Class<R> request, Class<T> result) {
        return new Builder<>(name, request, ResultType.of(result));
    }

    /** Declares a flow with a generic result type: {@code new ResultType<List<Receipt>>() {}}. */
    public static <R, T> Builder<R, T, Connection> of(String name, Class<R> request, ResultType<T> result) {
        return new Builder<>(name, request, result);
    }

    /** Declares a flow whose phases use the connections of another kind of store. */
    public static <R, T, C> Builder<R, T, C> of(String name, Class<R> request, Class<T> result, Class<C> connection) {
        return new Builder<>(name, request, ResultType.of(result));
    }

    /** Declares a flow with a generic result type, whose phases use the connections of another kind of store. */
    public static <R, T, C> Builder<R, T, C> of(
            String name, Class<R> request, ResultType<T> result, Class<C> connection) {
        return new Builder<>(name, request, result);
    }

    /** Returns the name, under which the flow is stored and reported. */
    public String name() {
        return name;
    }

    /** Returns the version of its phases. */
    public int version() {
        return version;
    }

    /** Returns the namespace of its keys, which other operations may share. */
    public String namespace() {
        return namespace;
    }

    Class<R> type() {
        return type;
    }

    ResultType<T> resultType() {
        return resultType;
    }

    /** Returns the shortest lease that leaves time for the longest call that can be looked up. */
    Duration minimumLease() {
        return minimumLease;
    }

    Retention retention() {
        return retention;
    }

    /** Refuses to keep records for ever if a call's age, which is computed from the remaining life of the record, must be known. */
    void requireKeyRetention(Retention kept) {
        if (kept.duration().isEmpty() && pointWithKeyExpiry.isPresent()) {
            throw new IllegalArgumentException(
                    "Cannot keep flow " + name + " for ever: the system called at "
                            + pointWithKeyExpiry.get()
                            + " forgets keys, and the age of a call is known only from a record that expires. Set a retention.");
        }
    }

    /** Returns how long the outcome is kept, if that differs from the record itself. */
    Optional<Retention> outcomeRetention() {
        return outcomeRetention;
    }

    FlowGraph<R, T, C> graph() {
        return graph;
    }

    /** Returns the flow that continues what a version began, if it is known. */
    Optional<Flow<R, T, C>> versionOf(int otherVersion) {
        return otherVersion == version ? Optional.of(this) : Optional.ofNullable(older.get(otherVersion));
    }

    /** Declares the points of a flow, one after the other. */
    public static final class Builder<R, T, C> {

        private static final Retention THREE_DAYS = Retention.of(Duration.ofDays(3));
        private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);

        private final String name;
        private final Class<R> type;
        private final ResultType<T> resultType;
        private final List<DefinitionFactory<R, T, C>> declared = new ArrayList<>();
        private final Map<Integer, Flow<R, T, C>> older = new HashMap<>();
        private String namespace;
        private int version = 1;
        private Retention retention = THREE_DAYS;
        private Optional<Retention> outcomeRetention = Optional.empty();

        private Builder(String name, Class<R> type, ResultType<T> resultType) {
            this.name = name;
            this.type = type;
            this.resultType = resultType;
            this.namespace = name;
        }

        /** Phase before the points that follow it are known. */
        @FunctionalInterface
        private interface DefinitionFactory<R, T, C> {
            PhaseDefinition<R, T, C> leadingTo(Set<String> following);
        }

        /** Adds a phase that leads to the point declared next, or to the end. */
        public Builder<R, T, C> phase(String point, TransactionPhase<R, T, C> phase) {
            var checked = checked(point);
            declared.add(following -> new PhaseDefinition.LocalPhase<>(checked, following, phase, Optional.empty()));
            return this;
        }

        /** Adds a phase that leads to any of these points, or to the end. */
        public Builder<R, T, C> phase(String point, Set<String> leadsTo, TransactionPhase<R, T, C> phase) {
            var checked = checked(point);
            declared.add(following ->
                    new PhaseDefinition.LocalPhase<>(checked, Set.copyOf(leadsTo), phase, Optional.empty()));
            return this;
        }

        /** Adds a foreign call with a timeout of 30 s that leads to the point declared next, or to the end. */
        public <A> Builder<R, T, C> foreignCall(
                String point,
                Downstream<ForeignCall<R>, A> downstream,
                CallSender<R, A> send,
                ResultPhase<R, T, C, A> take) {
            return foreignCall(point, downstream, CALL_TIMEOUT, send, take);
        }

        /**
         * Adds a foreign call that leads to the point declared next, or to the end.
         *
         * @param timeout how long a call may take; after that it may have taken effect
         */
        public <A> Builder<R, T, C> foreignCall(
                String point,
                Downstream<ForeignCall<R>, A> downstream,
                Duration timeout,
                CallSender<R, A> send,
                ResultPhase<R, T, C, A> take) {
            return foreignCall(point, Optional.empty(), downstream, Optional.empty(), timeout, send, take);
        }

        /** Adds a foreign call that the reconciler looks for in the other system's ledger. */
        public <A> Builder<R, T, C> foreignCall(
                String point,
                Downstream<ForeignCall<R>, A> downstream,
                LedgerEntryMapping<R, A> seen,
                Duration timeout,
                CallSender<R, A> send,
                ResultPhase<R, T, C, A> take) {
            return foreignCall(point, Optional.empty(), downstream, Optional.of(seen), timeout, send, take);
        }

        /** Adds a foreign call that leads to any of these points, or to the end. */
        public <A> Builder<R, T, C> foreignCall(
                String point,
                Set<String> leadsTo,
                Downstream<ForeignCall<R>, A> downstream,
                Duration timeout,
                CallSender<R, A> send,
                ResultPhase<R, T, C, A> take) {
            return foreignCall(
                    point, Optional.of(Set.copyOf(leadsTo)), downstream, Optional.empty(), timeout, send, take);
        }

        private <A> Builder<R, T, C> foreignCall(
                String point,
                Optional<Set<String>> leadsTo,
                Downstream<ForeignCall<R>, A> downstream,
                Optional<LedgerEntryMapping<R, A>> seen,
                Duration timeout,
                CallSender<R, A> send,
                ResultPhase<R, T, C, A> take) {
            var checked = checked(point);
            declared.add(following -> new PhaseDefinition.ForeignCallPhase<>(
                    checked, leadsTo.orElse(following), downstream, timeout, send, take, seen, Optional.empty()));
            return this;
        }

        /**
         * Retries the point declared last if it fails, and then runs a failure phase instead of ending the run with an exception. A call
         * of a {@link Downstream#notRetryable} system that may have taken effect is not retried; the failure phase runs at once.
         */
        public Builder<R, T, C> onFailure(PhaseRetryPolicy tries, FailurePhase<R, T, C> otherwise) {
            var last = declared.removeLast();
            declared.add(following ->
                    last.leadingTo(following).withFailurePolicy(new PhaseFailurePolicy<>(tries, otherwise)));
            return this;
        }

        /** Sets the namespace of the keys, to share them with other operations; the flow's name by default. */
        public Builder<R, T, C> namespace(String shared) {
            namespace = shared;
            return this;
        }

        /** Sets the version, 1 by default. Raise it when points are added, removed or change their meaning. */
        public Builder<R, T, C> version(int number) {
            version = number;
            return this;
        }

        /** Has flows that an older version began finished by it. Without it they need attention. */
        public Builder<R, T, C> olderVersion(Flow<R, T, C> olderOne) {
            if (!olderOne.name.equals(name) || older.putIfAbsent(olderOne.version, olderOne) != null) {
                throw new IllegalArgumentException(
                        "Cannot add version " + olderOne.version + " of flow " + olderOne.name + " to flow " + name
                                + ": it has another name, or that version was added before.");
            }
            return this;
        }

        /** Sets how long a key is remembered, from the first claim; 3 days by default. */
        public Builder<R, T, C> retention(Retention other) {
            retention = other;
            return this;
        }

        /** Sets how long the outcome is kept, from the first claim; as long as the key by default. */
        public Builder<R, T, C> outcomeRetention(Retention other) {
            outcomeRetention = Optional.of(other);
            return this;
        }

        /**
         * Builds the flow.
         *
         * @throws IllegalArgumentException if a point is unknown, unreachable or on a cycle; the message names it
         */
        public Flow<R, T, C> build() {
            return new Flow<>(this);
        }

        private List<PhaseDefinition<R, T, C>> steps() {
            var names = declared.stream()
                    .map(step -> step.leadingTo(Set.of()).point())
                    .toList();
            var steps = new ArrayList<PhaseDefinition<R, T, C>>();
            for (int i = 0; i < declared.size(); i++) {
                var following = new LinkedHashSet<>(names.subList(i + 1, Math.min(i + 2, names.size())));
                steps.add(declared.get(i).leadingTo(following));
            }
            return steps;
        }

        /** Returns twice the longest call that can be looked up: a lease is renewed after a third of it at the latest. */
        private Duration minimumLease() {
            return steps().stream()
                    .filter(step -> step instanceof PhaseDefinition.ForeignCallPhase<R, T, C, ?> foreign
                            && foreign.downstream() instanceof Downstream.Queryable)
                    .map(step -> ((PhaseDefinition.ForeignCallPhase<R, T, C, ?>) step)
                            .timeout()
                            .multipliedBy(2))
                    .max(Comparator.naturalOrder())
                    .orElse(Duration.ZERO);
        }

        /** Returns the first point whose downstream forgets keys. */
        private Optional<String> firstPointWithKeyExpiry() {
            return steps().stream()
                    .filter(step -> step instanceof PhaseDefinition.ForeignCallPhase<R, T, C, ?> foreign
                            && foreign.downstream() instanceof Downstream.HonoursKeys<?, ?> honours
                            && honours.memory().isPresent())
                    .map(PhaseDefinition::point)
                    .findFirst();
        }

        private static String checked(String point) {
            if (!point.matches("[A-Za-z0-9_.-]{1,100}")) {
                throw new IllegalArgumentException(
                        "Invalid point name \"" + point + "\": use 1 to 100 letters, digits, '_', '.' or '-'.");
            }
            return point;
        }
    }
}
