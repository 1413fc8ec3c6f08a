package dev.refrain.outbox.jobs;

import dev.refrain.ResultType;
import dev.refrain.api.Claim;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Retention;
import java.sql.Connection;
import java.time.Duration;
import java.util.Objects;

/**
 * Background work that takes effect once per key.
 *
 * {@snippet :
 * KeyedJob<Order, Invoice, Connection> invoice = KeyedJob.transactional("invoice", Order.class, Invoice.class,
 *         (tx, order) -> insertInvoice(tx, order));
 * }
 *
 * <p>Immutable; safe for use by many threads.
 *
 * @param <P> the payload
 * @param <R> the result
 * @param <C> the connection of a transaction
 */
public final class KeyedJob<P, R, C> {

    private static final Retention SEVEN_DAYS = Retention.of(Duration.ofDays(7));

    /** Work in the transaction that also records the result. It must not call other systems. */
    @FunctionalInterface
    public interface TransactionFunction<P, R, C> {
        R run(C tx, P payload) throws Exception;
    }

    /** Work that calls other systems, with keys derived from the claim. */
    @FunctionalInterface
    public interface LeasedFunction<P, R> {
        R run(Claim claim, P payload) throws Exception;
    }

    /** Work of a job, transactional or leased. */
    sealed interface JobBody<P, R, C> {}

    record TransactionalBody<P, R, C>(TransactionFunction<P, R, C> work) implements JobBody<P, R, C> {}

    record LeasedBody<P, R, C>(LeaseExpiryPolicy takeOver, LeasedFunction<P, R> work) implements JobBody<P, R, C> {}

    private final String name;
    private final Class<P> payload;
    private final ResultType<R> result;
    private final Retention retention;
    private final JobBody<P, R, C> work;

    private KeyedJob(String name, Class<P> payload, ResultType<R> result, Retention retention, JobBody<P, R, C> work) {
        this.name = name;
        this.payload = payload;
        this.result = result;
        this.retention = retention;
        this.work = work;
    }

    /** Returns a job that runs in a transaction, of plain JDBC or of Spring. */
    public static <P, R> KeyedJob<P, R, Connection> transactional(
            String name, Class<P> payload, Class<R> result, TransactionFunction<P, R, Connection> work) {
        return transactional(name, payload, ResultType.of(result), work);
    }

    /** Returns a job with a generic result type that runs in a transaction: {@code new ResultType<List<Invoice>>() {}}. */
    public static <P, R> KeyedJob<P, R, Connection> transactional(
            String name, Class<P> payload, ResultType<R> result, TransactionFunction<P, R, Connection> work) {
        return transactional(name, payload, result, Connection.class, work);
    }

    /** Returns a job that runs in a transaction of another kind of store, with its connections. */
    public static <P, R, C> KeyedJob<P, R, C> transactional(
            String name, Class<P> payload, Class<R> result, Class<C> connection, TransactionFunction<P, R, C> work) {
        return transactional(name, payload, ResultType.of(result), connection, work);
    }

    /** Returns a job with a generic result type that runs in a transaction of another kind of store. */
    public static <P, R, C> KeyedJob<P, R, C> transactional(
            String name,
            Class<P> payload,
            ResultType<R> result,
            Class<C> connection,
            TransactionFunction<P, R, C> work) {
        Objects.requireNonNull(connection, "connection");
        return new KeyedJob<>(name, payload, result, SEVEN_DAYS, new TransactionalBody<>(work));
    }

    /**
     * Returns a job that calls other systems.
     *
     * @param takeOver what happens to a run that was interrupted by a crash
     */
    public static <P, R> KeyedJob<P, R, Connection> leased(
            String name, Class<P> payload, Class<R> result, LeaseExpiryPolicy takeOver, LeasedFunction<P, R> work) {
        return leased(name, payload, ResultType.of(result), takeOver, work);
    }

    /**
     * Returns a job with a generic result type that calls other systems: {@code new ResultType<List<Invoice>>() {}}.
     *
     * @param takeOver what happens to a run that was interrupted by a crash
     */
    public static <P, R> KeyedJob<P, R, Connection> leased(
            String name,
            Class<P> payload,
            ResultType<R> result,
            LeaseExpiryPolicy takeOver,
            LeasedFunction<P, R> work) {
        return new KeyedJob<>(name, payload, result, SEVEN_DAYS, new LeasedBody<>(takeOver, work));
    }

    /** Returns the same job with another retention of key and result; 7 days by default. */
    public KeyedJob<P, R, C> retention(Retention other) {
        return new KeyedJob<>(name, payload, result, other, work);
    }

    /** Returns the name of the job, which is also the namespace of its keys. */
    public String name() {
        return name;
    }

    /** Returns the type of the payload. */
    public Class<P> payloadType() {
        return payload;
    }

    ResultType<R> resultType() {
        return result;
    }

    Retention retention() {
        return retention;
    }

    JobBody<P, R, C> work() {
        return work;
    }
}
