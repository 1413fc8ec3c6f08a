package dev.refrain;

import dev.refrain.api.Claim;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.internal.run.RunSettings;
import dev.refrain.internal.run.TransactionalOperationRunner;
import dev.refrain.store.StoreTransactionFactory;

/**
 * Operation whose claim, work and outcome commit in one transaction. Immutable and thread-safe.
 *
 * @param <C> the work's access to the database
 */
public final class TransactionalOperation<T, C> {

    private final TransactionalOperationRunner runs;
    private final StoreTransactionFactory<C> transactions;
    private final Operation.Definition plan;
    private final RunSettings settings;
    private final OutcomeMapper<T> values;

    TransactionalOperation(
            TransactionalOperationRunner runs,
            StoreTransactionFactory<C> transactions,
            Operation.Definition plan,
            RunSettings settings,
            OutcomeMapper<T> values) {
        this.runs = runs;
        this.transactions = transactions;
        this.plan = plan;
        this.settings = settings;
        this.values = values;
    }

    /** Runs in a new transaction; throws as {@link LeasedOperation#run} does. */
    public <X extends Exception> T run(OperationCall call, TransactionalWork<T, C, X> work) throws X {
        var fresh = new TypedRun<>(work, values);
        return values.value(
                settings, fresh, runs.run(settings, plan.fingerprintedCall(call, values), transactions, fresh::run));
    }

    /**
     * Runs as a part of the caller's open transaction: nothing takes effect until the caller commits, and a rollback also rolls
     * back the key. Never waits for a concurrent call under the same key, since that would hold the caller's connection.
     */
    public <X extends Exception> T runInTransaction(C connection, OperationCall call, TransactionalWork<T, C, X> work)
            throws X {
        var fresh = new TypedRun<>(work, values);
        return values.value(
                settings,
                fresh,
                runs.runWithin(
                        settings,
                        plan.fingerprintedCall(call, values).computed(),
                        transactions,
                        connection,
                        fresh::run));
    }

    /**
     * Returns true if so many transactions wait for a connection that a call of this scope would be refused now. For edges, which can then refuse
     * a request before they read it.
     */
    public boolean isOverloaded(String scope) {
        return !transactions.hasCapacity(scope, settings.patience());
    }

    /** Runs in a new transaction and returns every result as a value. */
    public <X extends Exception> OperationResult runForResult(OperationCall call, TransactionalWork<T, C, X> work)
            throws X {
        return runs.run(
                settings, plan.fingerprintedCall(call, values), transactions, new TypedRun<>(work, values)::run);
    }

    /** Runs as a part of the caller's open transaction and returns every result as a value. */
    public <X extends Exception> OperationResult runInTransactionForResult(
            C connection, OperationCall call, TransactionalWork<T, C, X> work) throws X {
        return runs.runWithin(
                settings,
                plan.fingerprintedCall(call, values).computed(),
                transactions,
                connection,
                new TypedRun<>(work, values)::run);
    }

    /** One run of typed work, as the engine sees it. */
    private static final class TypedRun<T, C, X extends Exception> extends OutcomeMapper.ProducedValue<T> {
        private final TransactionalWork<T, C, X> work;

        TypedRun(TransactionalWork<T, C, X> work, OutcomeMapper<T> values) {
            super(values);
            this.work = work;
        }

        Outcome.Answer run(Claim claim, C connection) throws X {
            return keep(claim, work.run(claim, connection));
        }
    }
}
