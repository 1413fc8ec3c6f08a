package dev.refrain;

import dev.refrain.claim.Claim;
import dev.refrain.outcome.Outcome;
import dev.refrain.run.RunResult;
import dev.refrain.run.RunSettings;
import dev.refrain.run.TransactionalRun;
import dev.refrain.store.Transactions;

/**
 * An operation whose claim, work and outcome commit in one transaction. Immutable, for any number of threads.
 *
 * @param <C> how the work reaches the database
 */
public final class Transactional<T, C> {

    private final TransactionalRun runs;
    private final Transactions<C> transactions;
    private final Operation.Plan plan;
    private final RunSettings settings;
    private final Values<T> values;

    Transactional(
            TransactionalRun runs,
            Transactions<C> transactions,
            Operation.Plan plan,
            RunSettings settings,
            Values<T> values) {
        this.runs = runs;
        this.transactions = transactions;
        this.plan = plan;
        this.settings = settings;
        this.values = values;
    }

    /** In a transaction of its own; fails as {@link Leased#run(Call, Work)} does. */
    public <X extends Exception> T run(String scope, String key, Object request, TransactionalWork<T, C, X> work)
            throws X {
        return run(Call.of(scope, key, request), work);
    }

    public <X extends Exception> T run(Call call, TransactionalWork<T, C, X> work) throws X {
        var fresh = new Fresh<>(work, values);
        return values.value(settings, fresh, runs.run(settings, plan.fingerprintedCall(call, values), transactions, fresh::run));
    }

    /**
     * As a part of the caller's open transaction: nothing counts until the caller commits, and a rollback takes the key
     * back too. Never waits for a twin, since that would hold the caller's connection.
     */
    public <X extends Exception> T runInTransaction(C connection, Call call, TransactionalWork<T, C, X> work) throws X {
        var fresh = new Fresh<>(work, values);
        return values.value(
                settings,
                fresh,
                runs.runWithin(settings, plan.fingerprintedCall(call, values), transactions, connection, fresh::run));
    }

    /** In a transaction of its own, with every ending as a value. */
    public <X extends Exception> RunResult runForResult(Call call, TransactionalWork<T, C, X> work) throws X {
        return runs.run(settings, plan.fingerprintedCall(call, values), transactions, new Fresh<>(work, values)::run);
    }

    /** As a part of the caller's open transaction, with every ending as a value. */
    public <X extends Exception> RunResult runInTransactionForResult(C connection, Call call, TransactionalWork<T, C, X> work)
            throws X {
        return runs.runWithin(
                settings, plan.fingerprintedCall(call, values), transactions, connection, new Fresh<>(work, values)::run);
    }

    /** One run of typed work, as the engine sees it. */
    private static final class Fresh<T, C, X extends Exception> extends Values.Produced<T> {
        private final TransactionalWork<T, C, X> work;

        Fresh(TransactionalWork<T, C, X> work, Values<T> values) {
            super(values);
            this.work = work;
        }

        Outcome.Answer run(Claim claim, C connection) throws X {
            return keep(claim, work.run(claim, connection));
        }
    }
}
