package dev.refrain;

import dev.refrain.api.InvalidIdempotencyKeyException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeProfile;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.internal.claim.FingerprintedCall;
import dev.refrain.internal.run.ConcurrentRetryPolicy;
import dev.refrain.internal.run.LeaseSettings;
import dev.refrain.internal.run.OutcomePolicy;
import dev.refrain.internal.run.RefrainEngine;
import dev.refrain.internal.run.RunSettings;
import dev.refrain.internal.run.RunSettings.StoreOutagePolicy;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoreTransactionFactory;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * A named piece of work that must take effect once: how its keys look, how long it is kept, what a retry in flight gets. How
 * it runs is the last thing said, by {@link #leased} or {@link #transactional}.
 *
 * <p>Immutable: each method gives a changed copy. Make it once and keep it.
 */
public final class Operation<T> {

    /** How long a claim holds unrenewed, unless {@link #lease} says otherwise. */
    public static final Duration DEFAULT_LEASE = LeaseSettings.LEASE;

    /** How long a lease is renewed, unless {@link #maxRunTime} says otherwise. */
    public static final Duration DEFAULT_MAX_RUN_TIME = LeaseSettings.MAX_RUN;

    private static final int MAX_OUTCOME_BYTES = 1 << 20;

    private final RefrainEngine engine;
    private final OutcomeMapper<T> values;
    private final Definition plan;

    /** What has been said of the operation so far; a builder of its own so that one line says one thing. */
    static final class Definition implements Cloneable {
        final String name;
        String namespace;
        KeyRules keys = KeyRules.DEFAULT;
        RequestFingerprinter fingerprinter = RequestFingerprinter.unkeyed();
        Retention retention = Retention.of(Duration.ofHours(24));
        Duration retryWindow = Duration.ZERO;
        OutcomeProfile profile = OutcomeProfile.DEFAULT;
        OutcomePolicy.StoredDetail form = OutcomePolicy.StoredDetail.WHOLE_ANSWER;
        OptionalInt maxOutcomeBytes = OptionalInt.empty();
        ConcurrentRetryPolicy inFlight = new ConcurrentRetryPolicy.Reject();
        StoreOutagePolicy storeOutagePolicy = StoreOutagePolicy.REFUSE;
        Duration patience = Duration.ofSeconds(3);
        Duration lease = LeaseSettings.LEASE;
        Duration maxRun = LeaseSettings.MAX_RUN;
        boolean correctOnly;

        Definition(String name) {
            this.name = name;
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
                throw new IllegalArgumentException(
                        name + ".retention is " + retention.duration().orElseThrow()
                                + " but its clients retry for " + retryWindow
                                + ": a late retry would run again. Keep it at least "
                                + retryWindow + ".");
            }
            if (!patience.isPositive()) {
                throw new IllegalArgumentException(name + ".patience must be more than 0, but is " + patience + ".");
            }
            requireNamespace();
            return new RunSettings(
                    name,
                    LeaseSettings.standard(takeOver).lasting(lease).running(maxRun),
                    new OutcomePolicy(retention, retryWindow, profile, form, maxOutcomeBytes(store)),
                    inFlight,
                    storeOutagePolicy,
                    patience);
        }

        /** What was asked for is refused where the store cannot hold it; the default gives way. */
        private int maxOutcomeBytes(StoreTraits store) {
            int most = store.limits().payloadBytes();
            if (maxOutcomeBytes.orElse(0) > most) {
                throw new IllegalArgumentException(name + " keeps answers of up to " + maxOutcomeBytes.getAsInt()
                        + " bytes, but " + store.name() + " holds at most " + most + ". Lower maxOutcomeBytes.");
            }
            return maxOutcomeBytes.orElse(Math.min(MAX_OUTCOME_BYTES, most));
        }

        /** Refused now rather than at the first call. */
        private void requireNamespace() {
            try {
                var unused = new ScopedKey("", namespace, "any");
            } catch (InvalidIdempotencyKeyException e) {
                throw new IllegalArgumentException(name + ".namespace cannot be used: " + e.getMessage(), e);
            }
        }

        FingerprintedCall fingerprintedCall(OperationCall call, OutcomeMapper<?> values) {
            var identity = new ScopedKey(call.scope(), namespace, keys.check(call.key()));
            var request = values.request(call.request());
            var fingerprinted = FingerprintedCall.of(
                    identity, fingerprinter.of(request), recipe -> fingerprinter.of(request, recipe));
            return call.subject().map(fingerprinted::withSubject).orElse(fingerprinted);
        }
    }

    private Operation(RefrainEngine engine, OutcomeMapper<T> values, Definition plan) {
        this.engine = engine;
        this.values = values;
        this.plan = plan;
    }

    static <T> Operation<T> typed(RefrainEngine engine, ValueCodec codec, String name, Class<T> type) {
        return new Operation<>(engine, OutcomeMapper.typed(name, type, codec), new Definition(name));
    }

    static <T> Operation<T> typed(RefrainEngine engine, ValueCodec codec, String name, ResultType<T> type) {
        return new Operation<>(engine, OutcomeMapper.typed(name, type, codec), new Definition(name));
    }

    static Operation<Outcome.Answer> raw(RefrainEngine engine, ValueCodec codec, String name) {
        return new Operation<>(engine, OutcomeMapper.raw(name, codec), new Definition(name));
    }

    /** Shares its keys with the other operations of this namespace; on its own an operation is its own namespace. */
    public Operation<T> namespace(String namespace) {
        return changed(p -> p.namespace = namespace);
    }

    /** The one it shares its keys in. */
    public String namespace() {
        return plan.namespace;
    }

    public Operation<T> keyRules(KeyRules rules) {
        return changed(p -> p.keys = rules);
    }

    public Operation<T> fingerprinter(RequestFingerprinter fingerprinter) {
        return changed(p -> p.fingerprinter = fingerprinter);
    }

    /** 24 hours unless said otherwise. */
    public Operation<T> retention(Duration time) {
        return retention(Retention.of(time));
    }

    public Operation<T> retention(Retention retention) {
        return changed(p -> p.retention = retention);
    }

    /** No shorter than this, whatever was said before. */
    public Operation<T> minimumRetention(Retention least) {
        return changed(p -> p.retention = p.retention.longerOf(least));
    }

    public Retention retention() {
        return plan.retention;
    }

    /** For how long clients may retry. A retention that is shorter is refused. */
    public Operation<T> clientRetryWindow(Duration window) {
        return changed(p -> p.retryWindow = window);
    }

    public Operation<T> profile(OutcomeProfile profile) {
        return changed(p -> p.profile = profile);
    }

    /** Keeps that it was done, not what it answered: a retry is told so. */
    public Operation<T> keepStateOnly() {
        return changed(p -> p.form = OutcomePolicy.StoredDetail.STATE_ONLY);
    }

    /** An answer larger than this is not kept, only that it was given. 1 MiB unless said otherwise. */
    public Operation<T> maxOutcomeBytes(int bytes) {
        return changed(p -> p.maxOutcomeBytes = OptionalInt.of(bytes));
    }

    /** A retry in flight waits for the outcome, at most so long; otherwise it is told at once. */
    public Operation<T> waitForOutcome(Duration limit) {
        return changed(p -> p.inFlight = new ConcurrentRetryPolicy.WaitForOutcome(limit));
    }

    /** How long a claim holds unrenewed: how long a crash delays a retry. 30 seconds unless said otherwise. */
    public Operation<T> lease(Duration lease) {
        return changed(p -> p.lease = lease);
    }

    /** No shorter than this, whatever was said before. */
    public Operation<T> minimumLease(Duration least) {
        return changed(p -> p.lease = p.lease.compareTo(least) < 0 ? least : p.lease);
    }

    /** After this the lease is no longer renewed. 10 minutes unless said otherwise. */
    public Operation<T> maxRunTime(Duration longest) {
        return changed(p -> p.maxRun = longest);
    }

    /** How long a claim may wait for the store. 3 seconds unless said otherwise. */
    public Operation<T> storeTimeout(Duration patience) {
        return changed(p -> p.patience = patience);
    }

    /** If the store cannot be asked the work runs UNPROTECTED, and may run twice. Every such run is reported. */
    public Operation<T> failOpen() {
        return changed(p -> p.storeOutagePolicy = StoreOutagePolicy.RUN_UNPROTECTED);
    }

    /** Refused on a store that cannot promise every invariant, such as one that may forget in a failover. */
    public Operation<T> requireCorrectStore() {
        return changed(p -> p.correctOnly = true);
    }

    /** Claim; then the work; then the outcome. There is no default: say what becomes of a claim whose lease is over. */
    public LeasedOperation<T> leased(LeaseExpiryPolicy takeOver) {
        requireCorrectIfAsked();
        return new LeasedOperation<>(
                engine.leased(), plan, plan.settings(takeOver, engine.store().traits()), values);
    }

    /** Claim, work and outcome in one transaction of the store's database. */
    public <C> TransactionalOperation<T, C> transactional(StoreTransactionFactory<C> transactions) {
        requireCorrectIfAsked();
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
                    + " cannot fail open: its work needs the database that its keys are in. Leave failOpen() out.");
        }
        if (!transactions.store().equals(engine.store())) {
            throw new IllegalArgumentException(
                    plan.name
                            + ": these transactions belong to another store than this Refrain; the key and the work would not commit together.");
        }
    }

    /**
     * In phases, each of which commits what it wrote and where it stands together; other systems are called between them. What is
     * run by names, {@code flow} builds on this. Only a phase ends it: what is thrown is never kept, whatever the profile says, because
     * a retry goes on where it stands.
     */
    public <C> PhasedOperation<C> phased(StoreTransactionFactory<C> transactions) {
        requireCorrectIfAsked();
        requireOwn(transactions);
        var goingOn = plan.copy();
        goingOn.profile = plan.profile.withKeepsExceptions(false);
        return new PhasedOperation<>(
                engine.leased(),
                transactions,
                plan,
                goingOn.settings(LeaseExpiryPolicy.RESUME, engine.store().traits()),
                values);
    }

    private void requireCorrectIfAsked() {
        var traits = engine.store().traits();
        if (plan.correctOnly && !traits.correct()) {
            throw new IllegalArgumentException(plan.name + " demands a correct store, but " + traits.name()
                    + " cannot promise every invariant of the protocol; use a database such as PostgreSQL.");
        }
    }

    private Operation<T> changed(Consumer<Definition> change) {
        var copy = plan.copy();
        change.accept(copy);
        return new Operation<>(engine, values, copy);
    }
}
