package dev.refrain.outbox.jobs;

import dev.refrain.api.Claim;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Retention;
import java.sql.Connection;
import java.time.Duration;

/**
 * A named piece of work in the background that takes effect once for a key.
 *
 * {@snippet :
 * KeyedJob<Order, Invoice, Connection> invoice = KeyedJob.inTransaction("invoice", Order.class, Invoice.class,
 *         (tx, order) -> insertInvoice(tx, order));
 * }
 *
 * <p>Immutable, for any number of threads.
 *
 * @param <P> what is to be worked on
 * @param <R> what it gives
 * @param <C> how it reaches the database
 */
public final class KeyedJob<P, R, C> {

    private static final Retention SEVEN_DAYS = Retention.of(Duration.ofDays(7));

    /** Writes of our own, in the transaction that also says that it is done. Must not call other systems. */
    @FunctionalInterface
    public interface TransactionFunction<P, R, C> {
        R run(C tx, P payload) throws Exception;
    }

    /** Calls other systems, under keys derived from the claim. */
    @FunctionalInterface
    public interface LeasedFunction<P, R> {
        R run(Claim claim, P payload) throws Exception;
    }

    /** One of two. */
    sealed interface JobBody<P, R, C> {}

    record TransactionalBody<P, R, C>(TransactionFunction<P, R, C> work) implements JobBody<P, R, C> {}

    record LeasedBody<P, R, C>(LeaseExpiryPolicy takeOver, LeasedFunction<P, R> work) implements JobBody<P, R, C> {}

    private final String name;
    private final Class<P> payload;
    private final Class<R> result;
    private final Retention retention;
    private final JobBody<P, R, C> work;

    private KeyedJob(String name, Class<P> payload, Class<R> result, Retention retention, JobBody<P, R, C> work) {
        this.name = name;
        this.payload = payload;
        this.result = result;
        this.retention = retention;
        this.work = work;
    }

    /** With plain JDBC or Spring's transactions. */
    public static <P, R> KeyedJob<P, R, Connection> transactional(
            String name, Class<P> payload, Class<R> result, TransactionFunction<P, R, Connection> work) {
        return new KeyedJob<>(name, payload, result, SEVEN_DAYS, new TransactionalBody<>(work));
    }

    /** @param takeOver what becomes of a run that nobody finished: see {@link LeaseExpiryPolicy} */
    public static <P, R> KeyedJob<P, R, Connection> leased(
            String name, Class<P> payload, Class<R> result, LeaseExpiryPolicy takeOver, LeasedFunction<P, R> work) {
        return new KeyedJob<>(name, payload, result, SEVEN_DAYS, new LeasedBody<>(takeOver, work));
    }

    /** For how long its key is remembered, and its result can be read: also when no queue knows it any more. A week unless said otherwise. */
    public KeyedJob<P, R, C> retention(Retention other) {
        return new KeyedJob<>(name, payload, result, other, work);
    }

    public String name() {
        return name;
    }

    public Class<P> payloadType() {
        return payload;
    }

    Class<R> resultType() {
        return result;
    }

    Retention retention() {
        return retention;
    }

    JobBody<P, R, C> work() {
        return work;
    }
}
