package dev.refrain.flow;

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
 * A piece of work in phases that takes effect once, although it calls other systems.
 *
 * {@snippet :
 * Flow<OrderRequest, Connection> orders = Flow.of("orders.create", OrderRequest.class)
 *         .phase("started", (tx, at) -> PhaseResult.to("ordered", insertOrder(tx, at.request())))
 *         .foreign("ordered", Downstream.honoursKeys(Duration.ofHours(24)),
 *                 call -> bank.charge(call.request().amount(), call.key()),
 *                 (tx, at, charge) -> charge.declined() ? PhaseResult.fail(402, charge) : PhaseResult.to("charged", charge.id()))
 *         .phase("charged", (tx, at) -> PhaseResult.finish(201, receipt(tx, at)))
 *         .build();
 * }
 *
 * <p>Immutable, for any number of threads.
 *
 * @param <R> what is asked
 * @param <C> how a phase reaches the database
 */
public final class Flow<R, C> {

    /** Writes of our own. May run more than once, if the database took it back, and commits once. Must not call other systems. */
    @FunctionalInterface
    public interface Phase<R, C> {
        PhaseResult run(C tx, PhaseContext<R> at) throws Exception;
    }

    /** Calls another system, under the call's key. */
    @FunctionalInterface
    public interface CallSender<R, A> {
        A send(ForeignCall<R> call) throws Exception;
    }

    /** Records what the other system answered, like a {@link Phase}. */
    @FunctionalInterface
    public interface ResultPhase<R, C, A> {
        PhaseResult run(C tx, PhaseContext<R> at, A answer) throws Exception;
    }

    /** What follows if a phase or a call fails, like a {@link Phase}. Of a phase that failed nothing is left. */
    @FunctionalInterface
    public interface FailurePhase<R, C> {
        PhaseResult run(C tx, PhaseContext<R> at, PhaseFailure failed) throws Exception;
    }

    private final String name;
    private final Class<R> type;
    private final String namespace;
    private final int version;
    private final Retention retention;
    private final Optional<Retention> outcomeRetention;
    private final Duration leastLease;
    private final Optional<String> pointWithKeyExpiry;
    private final FlowGraph<R, C> graph;
    private final Map<Integer, Flow<R, C>> older;

    private Flow(Builder<R, C> builder) {
        name = builder.name;
        type = builder.type;
        namespace = builder.namespace;
        version = builder.version;
        retention = builder.retention;
        outcomeRetention = builder.outcomeRetention;
        graph = new FlowGraph<>(name, builder.steps());
        leastLease = builder.leastLease();
        pointWithKeyExpiry = builder.forgotten();
        older = Map.copyOf(builder.older);
        requireKeyRetention(retention);
    }

    /** With plain JDBC or Spring's transactions. */
    public static <R> Builder<R, Connection> of(String name, Class<R> type) {
        return new Builder<>(name, type);
    }

    /** With whatever a store's transactions give to a phase. */
    public static <R, C> Builder<R, C> of(String name, Class<R> type, Class<C> connection) {
        return new Builder<>(name, type);
    }

    public String name() {
        return name;
    }

    public int version() {
        return version;
    }

    /** What its keys share with other operations. */
    public String namespace() {
        return namespace;
    }

    Class<R> type() {
        return type;
    }

    /** A call that can be looked up is sent only if it ends before the lease does. */
    Duration leastLease() {
        return leastLease;
    }

    Retention retention() {
        return retention;
    }

    /** How long ago something was sent is known by what is left of the record's life. */
    void requireKeyRetention(Retention kept) {
        if (kept.duration().isEmpty() && pointWithKeyExpiry.isPresent()) {
            throw new IllegalArgumentException("The flow " + name + " is kept for ever, but what is called at "
                    + pointWithKeyExpiry.get() + " forgets keys: whether it still remembers one could not be told.");
        }
    }

    /** Empty if as long as the record itself. */
    Optional<Retention> outcomeRetention() {
        return outcomeRetention;
    }

    FlowGraph<R, C> graph() {
        return graph;
    }

    /** The one to go on with what that version began; empty if there is none any more. */
    Optional<Flow<R, C>> versionOf(int otherVersion) {
        return otherVersion == version ? Optional.of(this) : Optional.ofNullable(older.get(otherVersion));
    }

    /** Says what a flow is, one point after the other. */
    public static final class Builder<R, C> {

        private static final Retention THREE_DAYS = Retention.of(Duration.ofDays(3));
        private static final Duration WITHIN = Duration.ofSeconds(30);

        private final String name;
        private final Class<R> type;
        private final List<DefinitionFactory<R, C>> declared = new ArrayList<>();
        private final Map<Integer, Flow<R, C>> older = new HashMap<>();
        private String namespace;
        private int version = 1;
        private Retention retention = THREE_DAYS;
        private Optional<Retention> outcomeRetention = Optional.empty();

        private Builder(String name, Class<R> type) {
            this.name = name;
            this.type = type;
            this.namespace = name;
        }

        /** A step, before it is known what follows it. */
        @FunctionalInterface
        private interface DefinitionFactory<R, C> {
            PhaseDefinition<R, C> leadingTo(Set<String> following);
        }

        /** May lead to the point that is declared next, or to the end. */
        public Builder<R, C> phase(String point, Phase<R, C> phase) {
            var checked = checked(point);
            declared.add(following -> new PhaseDefinition.LocalPhase<>(checked, following, phase, Optional.empty()));
            return this;
        }

        /** May lead to these points, or to the end. */
        public Builder<R, C> phase(String point, Set<String> leadsTo, Phase<R, C> phase) {
            var checked = checked(point);
            declared.add(following ->
                    new PhaseDefinition.LocalPhase<>(checked, Set.copyOf(leadsTo), phase, Optional.empty()));
            return this;
        }

        /** May lead to the point that is declared next, or to the end. A call takes at most half a minute. */
        public <A> Builder<R, C> foreignCall(
                String point,
                Downstream<ForeignCall<R>, A> downstream,
                CallSender<R, A> send,
                ResultPhase<R, C, A> take) {
            return foreignCall(point, downstream, WITHIN, send, take);
        }

        /** @param within how long a call may take; after that its end is not known */
        public <A> Builder<R, C> foreignCall(
                String point,
                Downstream<ForeignCall<R>, A> downstream,
                Duration within,
                CallSender<R, A> send,
                ResultPhase<R, C, A> take) {
            return foreignCall(point, Optional.empty(), downstream, Optional.empty(), within, send, take);
        }

        /** The same for a call that will be seen in a ledger. */
        public <A> Builder<R, C> foreignCall(
                String point,
                Downstream<ForeignCall<R>, A> downstream,
                LedgerMapping<R, A> seen,
                Duration within,
                CallSender<R, A> send,
                ResultPhase<R, C, A> take) {
            return foreignCall(point, Optional.empty(), downstream, Optional.of(seen), within, send, take);
        }

        /** May lead to these points, or to the end. */
        public <A> Builder<R, C> foreignCall(
                String point,
                Set<String> leadsTo,
                Downstream<ForeignCall<R>, A> downstream,
                Duration within,
                CallSender<R, A> send,
                ResultPhase<R, C, A> take) {
            return foreignCall(
                    point, Optional.of(Set.copyOf(leadsTo)), downstream, Optional.empty(), within, send, take);
        }

        private <A> Builder<R, C> foreignCall(
                String point,
                Optional<Set<String>> leadsTo,
                Downstream<ForeignCall<R>, A> downstream,
                Optional<LedgerMapping<R, A>> seen,
                Duration within,
                CallSender<R, A> send,
                ResultPhase<R, C, A> take) {
            var checked = checked(point);
            declared.add(following -> new PhaseDefinition.ForeignCallPhase<>(
                    checked, leadsTo.orElse(following), downstream, within, send, take, seen, Optional.empty()));
            return this;
        }

        /**
         * If the point declared last fails, it is tried again as often as that, and then this follows instead of an exception for the
         * caller. A call of a blind system whose end is not known is not tried again, and does not wait for a decision either.
         */
        public Builder<R, C> onFailure(PhaseRetryPolicy tries, FailurePhase<R, C> otherwise) {
            var last = declared.removeLast();
            declared.add(following ->
                    last.leadingTo(following).withFailurePolicy(new PhaseFailurePolicy<>(tries, otherwise)));
            return this;
        }

        /** Shares its keys with the other operations of this namespace; on its own a flow is its own namespace. */
        public Builder<R, C> namespace(String shared) {
            namespace = shared;
            return this;
        }

        /** 1 unless said otherwise; to be raised when points are added, removed or mean something else. */
        public Builder<R, C> version(int number) {
            version = number;
            return this;
        }

        /** What is in flight from that version is finished by it. Without it, it waits for a decision. */
        public Builder<R, C> olderVersion(Flow<R, C> olderOne) {
            if (!olderOne.name.equals(name) || older.putIfAbsent(olderOne.version, olderOne) != null) {
                throw new IllegalArgumentException("The flow " + name + " cannot finish version " + olderOne.version
                        + " of " + olderOne.name + ": it has another name, or is there already.");
            }
            return this;
        }

        /** Three days unless said otherwise. */
        public Builder<R, C> retention(Retention other) {
            retention = other;
            return this;
        }

        /** How long the outcome is kept once there is one, if that is longer or shorter than a flow may take to get there. */
        public Builder<R, C> outcomeRetention(Retention other) {
            outcomeRetention = Optional.of(other);
            return this;
        }

        /** @throws IllegalArgumentException if a point is unknown, cannot be reached or leads back to itself; the message names it */
        public Flow<R, C> build() {
            return new Flow<>(this);
        }

        private List<PhaseDefinition<R, C>> steps() {
            var names = declared.stream()
                    .map(step -> step.leadingTo(Set.of()).point())
                    .toList();
            var steps = new ArrayList<PhaseDefinition<R, C>>();
            for (int i = 0; i < declared.size(); i++) {
                var following = new LinkedHashSet<>(names.subList(i + 1, Math.min(i + 2, names.size())));
                steps.add(declared.get(i).leadingTo(following));
            }
            return steps;
        }

        /** Renewed after a third of it at the latest, so that there is always time for the longest call that can be looked up. */
        private Duration leastLease() {
            return steps().stream()
                    .filter(step -> step instanceof PhaseDefinition.ForeignCallPhase<R, C, ?> foreign
                            && foreign.downstream() instanceof Downstream.Queryable)
                    .map(step -> ((PhaseDefinition.ForeignCallPhase<R, C, ?>) step)
                            .within()
                            .multipliedBy(2))
                    .max(Comparator.naturalOrder())
                    .orElse(Duration.ZERO);
        }

        /** The first point at which something is called that forgets keys. */
        private Optional<String> forgotten() {
            return steps().stream()
                    .filter(step -> step instanceof PhaseDefinition.ForeignCallPhase<R, C, ?> foreign
                            && foreign.downstream() instanceof Downstream.HonoursKeys<?, ?> honours
                            && honours.memory().isPresent())
                    .map(PhaseDefinition::point)
                    .findFirst();
        }

        private static String checked(String point) {
            if (!point.matches("[A-Za-z0-9_.-]{1,100}")) {
                throw new IllegalArgumentException(
                        "A point is named by 1 to 100 letters, digits, '_', '.' or '-', not \"" + point + "\".");
            }
            return point;
        }
    }
}
