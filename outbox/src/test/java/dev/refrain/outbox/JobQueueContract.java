package dev.refrain.outbox;

import static dev.refrain.servers.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.ResultType;
import dev.refrain.api.ClientKey;
import dev.refrain.api.InvalidIdempotencyKeyException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.api.Retention;
import dev.refrain.outbox.jobs.JobResult;
import dev.refrain.outbox.jobs.KeyedJob;
import dev.refrain.outbox.jobs.KeyedJobQueue;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import java.io.IOException;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Enqueued under a key as often as you like, a job runs once, on each database. */
abstract class JobQueueContract extends RelayFixture {

    record Order(String article, long amount) {}

    record Invoice(String number, long total) {}

    private static final Order BOOK = new Order("book", 700);

    private KeyedJobQueue<Connection> jobs;

    private final KeyedJob<Order, Invoice, Connection> invoice =
            KeyedJob.transactional("invoice", Order.class, Invoice.class, (tx, order) -> {
                insert(tx, order.article());
                return new Invoice("i-" + order.article(), order.amount() * 2);
            });

    @BeforeEach
    void openJobs() {
        jobs = KeyedJobQueue.on(refrain, store.transactions(), rows);
    }

    private void enqueue(KeyedJob<Order, ?, Connection> job, String key, Order order) throws Exception {
        transact(tx -> jobs.enqueue(tx, job, ClientKey.scope("shop").key(key), order));
    }

    private void none(KeyedJob<?, ?, Connection> job) {
        await().until(() -> waiting(KeyedJobQueue.topic(job)) == 0);
    }

    @Test
    void enqueuedTwiceItRunsOnceAndBothReadItsResult() throws Exception {
        for (int i = 0; i < 2; i++) {
            started(jobs.registerOn(relay(), invoice));
        }
        assertThat(jobs.result(invoice, ClientKey.scope("shop").key("k"))).isEqualTo(new JobResult.NotStarted<>());
        enqueue(invoice, "k", BOOK);
        enqueue(invoice, "k", BOOK);
        enqueue(invoice, "other", new Order("pen", 1));
        none(invoice);
        assertThat(done()).containsExactlyInAnyOrder("book", "pen");
        assertThat(jobs.result(invoice, ClientKey.scope("shop").key("k")))
                .isEqualTo(new JobResult.Done<>(new Invoice("i-book", 1400)));
        assertThat(jobs.result(invoice, ClientKey.scope("another shop").key("k")))
                .isEqualTo(new JobResult.NotStarted<>());
        assertThat(dead()).isEmpty();
    }

    @Test
    void genericResultKeepsItsElementsTypes() throws Exception {
        var lines = KeyedJob.transactional(
                "lines",
                Order.class,
                new ResultType<List<Invoice>>() {},
                (tx, order) -> List.of(new Invoice("i-" + order.article(), order.amount())));
        var key = ClientKey.scope("shop").key("k");
        for (int run = 0; run < 2; run++) {
            assertThat(jobs.run(lines, key, BOOK).getFirst().number()).isEqualTo("i-book");
        }
        assertThat(jobs.result(lines, key)).isEqualTo(new JobResult.Done<>(List.of(new Invoice("i-book", 700))));
    }

    @Test
    void runReturnsTheResultAndRunForResultTheState() throws Exception {
        assertThat(jobs.run(invoice, ClientKey.scope("shop").key("k"), BOOK)).isEqualTo(new Invoice("i-book", 1400));
        assertThat(jobs.runForResult(invoice, ClientKey.scope("shop").key("k"), BOOK))
                .isEqualTo(new JobResult.Done<>(new Invoice("i-book", 1400)));
        assertThat(done()).containsExactly("book");
        assertThatThrownBy(
                        () -> jobs.runForResult(invoice, ClientKey.scope("shop").key("k"), new Order("pen", 1)))
                .isInstanceOf(RequestMismatchException.class);
    }

    /** All three come in one transaction, which is rolled back because of the third. */
    @Test
    void enqueuedTwiceBesideOneThatFailsItStillRuns() throws Exception {
        var poisoned = KeyedJob.transactional("invoice", Order.class, Invoice.class, (tx, order) -> {
            insert(tx, order.article());
            if (order.article().equals("poison")) {
                throw new IOException("poison");
            }
            return new Invoice("i-" + order.article(), order.amount() * 2);
        });
        started(jobs.registerOn(
                relay(),
                poisoned,
                TopicSettings.of(KeyedJobQueue.topic(poisoned)).backoff(AT_ONCE).maxAttempts(2)));
        // What is slow, as the first ones are, is handled one by one.
        for (int i = 0; i < 20; i++) {
            enqueue(poisoned, "warm-" + i, new Order("warm", 1));
        }
        none(poisoned);
        execute("DELETE FROM done");

        transact(tx -> {
            jobs.enqueue(tx, poisoned, ClientKey.scope("shop").key("k"), BOOK);
            jobs.enqueue(tx, poisoned, ClientKey.scope("shop").key("k"), BOOK);
            jobs.enqueue(tx, poisoned, ClientKey.scope("shop").key("bad"), new Order("poison", 1));
        });
        none(poisoned);

        assertThat(done()).containsExactly("book");
        assertThat(jobs.result(poisoned, ClientKey.scope("shop").key("k")))
                .isEqualTo(new JobResult.Done<>(new Invoice("i-book", 1400)));
        assertThat(jobs.result(poisoned, ClientKey.scope("shop").key("bad")))
                .isInstanceOfSatisfying(
                        JobResult.Dead.class,
                        dead -> assertThat(dead.mayHaveHappened()).isFalse());
    }

    @Test
    void jobStaysDeduplicatedAfterItsRowIsGone() throws Exception {
        started(jobs.registerOn(relay(), invoice.retention(Retention.FOREVER)));
        enqueue(invoice, "k", BOOK);
        none(invoice);
        await().until(() -> done().size() == 1);
        assertThat(rows.backlog(KeyedJobQueue.topic(invoice), 10).waiting()).isZero();

        enqueue(invoice, "k", BOOK);
        none(invoice);
        assertThat(done()).containsExactly("book");
        assertThat(jobs.run(invoice, ClientKey.scope("shop").key("k"), BOOK)).isEqualTo(new Invoice("i-book", 1400));
        assertThat(done()).containsExactly("book");
    }

    @Test
    void keyThatWasUsedForSomethingElseIsAMistakeThatShows() throws Exception {
        started(jobs.registerOn(relay(), invoice));
        enqueue(invoice, "k", BOOK);
        none(invoice);
        enqueue(invoice, "k", new Order("book", 9_999));
        none(invoice);
        assertThat(dead()).singleElement().satisfies(letter -> {
            assertThat(letter.cause()).isEqualTo(Cause.REFUSED);
            assertThat(letter.reason()).contains("another payload");
        });
        transact(tx -> assertThatThrownBy(
                        () -> jobs.enqueue(tx, invoice, ClientKey.scope("shop").key("with\nnewline"), BOOK))
                .isInstanceOf(InvalidIdempotencyKeyException.class));
    }

    @Test
    void jobThatFailsIsTriedAgainAndWritesOnce() throws Exception {
        var tries = new AtomicInteger();
        var shaky = KeyedJob.transactional("shaky", Order.class, Invoice.class, (tx, order) -> {
            insert(tx, order.article());
            if (tries.incrementAndGet() < 3) {
                throw new IOException("not yet");
            }
            return new Invoice("late", 1);
        });
        started(jobs.registerOn(
                relay(), shaky, TopicSettings.of(KeyedJobQueue.topic(shaky)).backoff(AT_ONCE)));
        enqueue(shaky, "k", BOOK);
        none(shaky);
        assertThat(done()).containsExactly("book");
        assertThat(jobs.result(shaky, ClientKey.scope("shop").key("k")))
                .isEqualTo(new JobResult.Done<>(new Invoice("late", 1)));
    }

    @Test
    void jobThatCallsOthersSendsTheSameKeyEachTime() throws Exception {
        List<String> keys = new CopyOnWriteArrayList<>();
        var mailing =
                KeyedJob.leased("mailing", Order.class, String.class, LeaseExpiryPolicy.RESUME, (claim, order) -> {
                    keys.add(claim.derivedKey("mail"));
                    if (keys.size() < 3) {
                        throw new IOException("no reply");
                    }
                    return null;
                });
        started(jobs.registerOn(
                relay(),
                mailing,
                TopicSettings.of(KeyedJobQueue.topic(mailing))
                        .backoff(new DeliveryBackoff(Duration.ofMillis(1), Duration.ofMillis(5)))));
        enqueue(mailing, "k", BOOK);
        enqueue(mailing, "k", BOOK);
        none(mailing);
        assertThat(keys).hasSize(3).containsOnly(keys.getFirst());
        assertThat(jobs.result(mailing, ClientKey.scope("shop").key("k"))).isEqualTo(new JobResult.Done<>(null));
        assertThat(dead()).isEmpty();
    }

    @Test
    void failureThatIsKeptIsTheResult() throws Exception {
        var once = KeyedJob.leased("once", Order.class, String.class, LeaseExpiryPolicy.HOLD, (claim, order) -> {
            throw new IOException("the printer is on fire");
        });
        started(jobs.registerOn(
                relay(), once, TopicSettings.of(KeyedJobQueue.topic(once)).backoff(AT_ONCE)));
        enqueue(once, "k", BOOK);
        none(once);
        assertThat(jobs.result(once, ClientKey.scope("shop").key("k"))).isInstanceOf(JobResult.Failed.class);
    }
}
