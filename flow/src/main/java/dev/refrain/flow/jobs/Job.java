package dev.refrain.flow.jobs;

import dev.refrain.claim.Claim;
import dev.refrain.outcome.Retention;
import dev.refrain.store.TakeOver;
import java.sql.Connection;
import java.time.Duration;

/**
 * A named piece of work in the background that takes effect once for a key.
 *
 * {@snippet :
 * Job<Order, Invoice, Connection> invoice = Job.inTransaction("invoice", Order.class, Invoice.class,
 *         (tx, order) -> insertInvoice(tx, order));
 * }
 *
 * <p>Immutable, for any number of threads.
 *
 * @param <P> what is to be worked on
 * @param <R> what it gives
 * @param <C> how it reaches the database
 */
public final class Job<P, R, C> {

    private static final Retention SEVEN_DAYS = Retention.of(Duration.ofDays(7));

    /** Writes of our own, in the transaction that also says that it is done. Must not call other systems. */
    @FunctionalInterface
    public interface InTransaction<P, R, C> {
        R run(C tx, P payload) throws Exception;
    }

    /** Calls other systems, under keys derived from the claim. */
    @FunctionalInterface
    public interface Calling<P, R> {
        R run(Claim claim, P payload) throws Exception;
    }

    /** One of two. */
    sealed interface Work<P, R, C> {}

    record Local<P, R, C>(InTransaction<P, R, C> work) implements Work<P, R, C> {}

    record Leased<P, R, C>(TakeOver takeOver, Calling<P, R> work) implements Work<P, R, C> {}

    private final String name;
    private final Class<P> payload;
    private final Class<R> result;
    private final Retention retention;
    private final Work<P, R, C> work;

    private Job(String name, Class<P> payload, Class<R> result, Retention retention, Work<P, R, C> work) {
        this.name = name;
        this.payload = payload;
        this.result = result;
        this.retention = retention;
        this.work = work;
    }

    /** With plain JDBC or Spring's transactions. */
    public static <P, R> Job<P, R, Connection> transactional(
            String name, Class<P> payload, Class<R> result, InTransaction<P, R, Connection> work) {
        return new Job<>(name, payload, result, SEVEN_DAYS, new Local<>(work));
    }

    /** @param takeOver what becomes of a run that nobody finished: see {@link TakeOver} */
    public static <P, R> Job<P, R, Connection> leased(
            String name, Class<P> payload, Class<R> result, TakeOver takeOver, Calling<P, R> work) {
        return new Job<>(name, payload, result, SEVEN_DAYS, new Leased<>(takeOver, work));
    }

    /** For how long its key is remembered, and its result can be read: also when no queue knows it any more. A week unless said otherwise. */
    public Job<P, R, C> retention(Retention other) {
        return new Job<>(name, payload, result, other, work);
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

    Work<P, R, C> work() {
        return work;
    }
}
