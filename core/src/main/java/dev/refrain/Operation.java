package dev.refrain;

import dev.refrain.RefrainSettings.OperationCheck;
import dev.refrain.api.DurationText;
import dev.refrain.api.InvalidIdempotencyKeyException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeRule;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.internal.claim.FingerprintedCall;
import dev.refrain.internal.claim.LazyFingerprint;
import dev.refrain.internal.run.ConcurrentRetryPolicy;
import dev.refrain.internal.run.LeaseSettings;
import dev.refrain.internal.run.OutcomePolicy;
import dev.refrain.internal.run.RefrainEngine;
import dev.refrain.internal.run.RunSettings;
import dev.refrain.internal.run.RunSettings.StoreOutagePolicy;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoreTransactionFactory;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Named work that must take effect once per key, with its settings: keys, retention, handling of concurrent retries. The last
 * call chooses how it runs: {@link #leased} or {@link #transactional}.
 *
 * <p>Immutable: each method returns a changed copy. Create it once and reuse it.
 */
public final class Operation<T> {

    /** Lease of a claim without a heartbeat, unless {@link #lease} sets another one. */
    public static final Duration DEFAULT_LEASE = LeaseSettings.LEASE;

    /** Maximum time for which a lease is renewed, unless {@link #maxRunTime} sets another one. */
    public static final Duration DEFAULT_MAX_RUN_TIME = LeaseSettings.MAX_RUN;

    private static final int MAX_OUTCOME_BYTES = 1 << 20;

    private final RefrainEngine engine;
    private final OutcomeMapper<T> values;
    private final Definition plan;

    /** Settings of the operation so far. */
    static final class Definition implements Cloneable {
        final String name;
        final OperationCheck check;
        String namespace;
        KeyRules keys = KeyRules.DEFAULT;
        RequestFingerprinter fingerprinter = RequestFingerprinter.unkeyed();
        Retention retention = Retention.of(Duration.ofHours(24));
        Duration retryWindow = Duration.ZERO;
        OutcomeRule outcomeRule = OutcomeRule.DEFAULT;
        OutcomePolicy.StoredDetail form = OutcomePolicy.StoredDetail.WHOLE_ANSWER;
        OptionalInt maxOutcomeBytes = OptionalInt.empty();
        ConcurrentRetryPolicy inFlight = new ConcurrentRetryPolicy.Reject();
        StoreOutagePolicy storeOutagePolicy = StoreOutagePolicy.REFUSE;
        Duration patience = Duration.ofSeconds(3);
        Duration lease = LeaseSettings.LEASE;
        Duration maxRun = LeaseSettings.MAX_RUN;

        Definition(String name, OperationCheck check) {
            this.name = name;
            this.check = check;
            this.namespace = name;
        }

        Definition copy() {
            try {
                return (Definition) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        RunSettings settings(LeaseExpiryPolicy takeOver, StoreTraits store) {
            if (retention.isShorterThan(retryWindow)) {
                throw new IllegalArgumentException(name + ".retention is "
                        + DurationText.of(retention.duration().orElseThrow())
                        + " but its clients retry for " + DurationText.of(retryWindow)
                        + ": a late retry would run again. Set retention to at least "
                        + DurationText.of(retryWindow) + ".");
            }
            if (!patience.isPositive()) {
                throw new IllegalArgumentException(
                        name + ".store-timeout must be positive, but is " + DurationText.of(patience) + ".");
            }
            requireNamespace();
            var settings = new RunSettings(
                    name,
                    LeaseSettings.standard(takeOver).lasting(lease).running(maxRun),
                    new OutcomePolicy(retention, retryWindow, outcomeRule, form, maxOutcomeBytes(store)),
                    inFlight,
                    storeOutagePolicy,
                    patience);
            // Last: an operation that is refused for another reason was never made.
            check.check(namespace, name);
            return settings;
        }

        /** Returns the limit for outcomes: a configured one is rejected if the store cannot hold it, the default is lowered. */
        private int maxOutcomeBytes(StoreTraits store) {
            int most = store.limits().payloadBytes();
            if (maxOutcomeBytes.orElse(0) > most) {
                throw new IllegalArgumentException(name + " stores outcomes of up to " + maxOutcomeBytes.getAsInt()
                        + " bytes, but " + store.name() + " holds at most " + most + ". Lower maxOutcomeBytes.");
            }
            return maxOutcomeBytes.orElse(Math.min(MAX_OUTCOME_BYTES, most));
        }

        /** Validates the namespace now rather than at the first call. */
        private void requireNamespace() {
            try {
                var unused = new ScopedKey("", namespace, "any");
            } catch (InvalidIdempotencyKeyException e) {
                throw new IllegalArgumentException(name + ".namespace cannot be used: " + e.getMessage(), e);
            }
        }

        FingerprintedCall fingerprintedCall(OperationCall call, OutcomeMapper<?> values) {
            var identity = new ScopedKey(call.scope(), namespace, keys.check(call.key()));
            var fingerprint =
                    LazyFingerprint.of(() -> values.request(call.request()), fingerprinter::of, fingerprinter::of);
            var fingerprinted = FingerprintedCall.of(identity, fingerprint)
                    .withKeptRequest(call.keptRequest())
                    .withOrigin(origin(call));
            return call.subject().map(fingerprinted::withSubject).orElse(fingerprinted);
        }

        private ClaimOrigin origin(OperationCall call) {
            return new ClaimOrigin(
                    call.operationName().orElse(name),
                    call.caller().filter(who -> !who.equals(call.scope())),
                    call.traceId(),
                    "",
                    call.steps());
        }
    }

    private Operation(RefrainEngine engine, OutcomeMapper<T> values, Definition plan) {
        this.engine = engine;
        this.values = values;
        this.plan = plan;
    }

    static <T> Operation<T> typed(RefrainEngine engine, RefrainSettings settings, String name, ResultType<T> type) {
        return new Operation<>(
                engine,
                OutcomeMapper.typed(name, type, settings.codec()),
                new Definition(name, settings.operationCheck()));
    }

    static Operation<Outcome.Answer> raw(RefrainEngine engine, RefrainSettings settings, String name) {
        return new Operation<>(
                engine, OutcomeMapper.raw(name, settings.codec()), new Definition(name, settings.operationCheck()));
    }

    /** Shares keys with the other operations of this namespace; by default an operation has a namespace of its own. */
    public Operation<T> namespace(String namespace) {
        return changed(p -> p.namespace = namespace);
    }

    /** Returns the namespace of the operation's keys. */
    public String namespace() {
        return plan.namespace;
    }

    public Operation<T> keyRules(KeyRules rules) {
        return changed(p -> p.keys = rules);
    }

    public Operation<T> fingerprinter(RequestFingerprinter fingerprinter) {
        return changed(p -> p.fingerprinter = fingerprinter);
    }

    /** Sets the retention, by default 24 h. */
    public Operation<T> retention(Duration time) {
        return retention(Retention.of(time));
    }

    public Operation<T> retention(Retention retention) {
        return changed(p -> p.retention = retention);
    }

    /** Raises the retention to at least this one. */
    public Operation<T> minimumRetention(Retention least) {
        return changed(p -> p.retention = p.retention.longerOf(least));
    }

    public Retention retention() {
        return plan.retention;
    }

    /** Sets how long clients may retry. A shorter retention is rejected. */
    public Operation<T> clientRetryWindow(Duration window) {
        return changed(p -> p.retryWindow = window);
    }

    /** Sets the rule for which outcomes are stored, by default {@link OutcomeRule#DEFAULT}. */
    public Operation<T> outcomeRule(OutcomeRule rule) {
        return changed(p -> p.outcomeRule = rule);
    }

    /** Stores only that the operation is done, not its result: a retry gets {@link dev.refrain.api.OutcomeNotKeptException}. */
    public Operation<T> keepStateOnly() {
        return changed(p -> p.form = OutcomePolicy.StoredDetail.STATE_ONLY);
    }

    /** Sets the largest stored outcome, by default 1 MiB. For a larger one only the fact that it is done is stored. */
    public Operation<T> maxOutcomeBytes(int bytes) {
        return changed(p -> p.maxOutcomeBytes = OptionalInt.of(bytes));
    }

    /** Lets a concurrent retry wait for the outcome up to this limit. By default it is rejected at once. */
    public Operation<T> waitWhileInFlight(Duration limit) {
        return changed(p -> p.inFlight = new ConcurrentRetryPolicy.WaitForOutcome(limit));
    }

    /** Sets how long a claim is held without a heartbeat, which is how long a crash delays a retry; by default 30 s. */
    public Operation<T> lease(Duration lease) {
        return changed(p -> p.lease = lease);
    }

    /** Raises the lease to at least this one. */
    public Operation<T> minimumLease(Duration least) {
        return changed(p -> p.lease = p.lease.compareTo(least) < 0 ? least : p.lease);
    }

    /** Sets the time after which the lease is no longer renewed, by default 10 min. */
    public Operation<T> maxRunTime(Duration longest) {
        return changed(p -> p.maxRun = longest);
    }

    /** Sets how long a claim may wait for the store, by default 3 s. */
    public Operation<T> storeTimeout(Duration patience) {
        return changed(p -> p.patience = patience);
    }

    /** Runs the work UNPROTECTED while the store is unreachable, so that it may run twice. Every such run is reported. */
    public Operation<T> failOpen() {
        return changed(p -> p.storeOutagePolicy = StoreOutagePolicy.RUN_UNPROTECTED);
    }

    /**
     * Rejects stores that cannot guarantee every invariant, for example because they may lose data in a failover.
     *
     * @throws IllegalArgumentException if this operation's store is one of them
     */
    public Operation<T> requireCorrectStore() {
        var traits = engine.store().traits();
        if (!traits.correct()) {
            throw new IllegalArgumentException(plan.name + " demands a correct store (requireCorrectStore), but "
                    + traits.name()
                    + " cannot promise every invariant of the protocol. Use a database such as PostgreSQL.");
        }
        return this;
    }

    /**
     * Runs leased: claims and commits the key, then runs the work, then stores the outcome. Choose what happens to a claim whose
     * lease expires; there is no default.
     */
    public LeasedOperation<T> leased(LeaseExpiryPolicy takeOver) {
        return new LeasedOperation<>(
                engine.leased(), plan, plan.settings(takeOver, engine.store().traits()), values);
    }

    /** Runs claim, work and outcome in one transaction of the store's database. */
    public <C> TransactionalOperation<T, C> transactional(StoreTransactionFactory<C> transactions) {
        requireOwn(transactions);
        return new TransactionalOperation<>(
                engine.transactional(),
                transactions,
                plan,
                plan.settings(LeaseExpiryPolicy.RESUME, engine.store().traits()),
                values);
    }

    private void requireOwn(StoreTransactionFactory<?> transactions) {
        if (plan.storeOutagePolicy == StoreOutagePolicy.RUN_UNPROTECTED) {
            throw new IllegalArgumentException(plan.name
                    + " cannot fail open: its work needs the database that holds its keys. Remove failOpen().");
        }
        engine.requireOwn(transactions, plan.name);
    }

    /**
     * Runs in phases, each of which commits its writes together with its recovery point; other systems are called between phases.
     * Flows build on this. Only a phase completes the operation: an exception is never stored, whatever the outcome rule, because
     * a retry resumes at the recovery point.
     */
    public <C> PhasedOperation<C> phased(StoreTransactionFactory<C> transactions) {
        requireOwn(transactions);
        var goingOn = plan.copy();
        goingOn.outcomeRule = plan.outcomeRule.withoutExceptions();
        return new PhasedOperation<>(
                engine.leased(),
                transactions,
                plan,
                goingOn.settings(LeaseExpiryPolicy.RESUME, engine.store().traits()),
                values);
    }

    private Operation<T> changed(Consumer<Definition> change) {
        var copy = plan.copy();
        change.accept(copy);
        return new Operation<>(engine, values, copy);
    }
}
