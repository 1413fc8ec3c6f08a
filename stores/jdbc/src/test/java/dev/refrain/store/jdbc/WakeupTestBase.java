package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.LeaseExpiryPolicy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two instances on one database: who waits on one is woken by what ends on the other. */
abstract class WakeupTestBase {

    static final Duration LIMIT = Duration.ofMinutes(5);

    final SlowPollingEnvironment slowly = new SlowPollingEnvironment();
    final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    JdbcStore here;
    JdbcStore there;
    Refrain runner;
    Refrain waiter;

    abstract DataSource database();

    @BeforeEach
    void open() {
        here = JdbcStore.on(database());
        there = JdbcStore.on(database());
        runner = Refrain.using(here);
        waiter = Refrain.using(there, RefrainSettings.defaults().with(slowly));
    }

    @AfterEach
    void close() {
        waiter.close(Duration.ZERO);
        runner.close(Duration.ZERO);
        threads.shutdownNow();
        here.close();
        there.close();
    }

    static LeasedOperation<String> leased(Refrain refrain) {
        return refrain.operation("pay", String.class).waitWhileInFlight(LIMIT).leased(LeaseExpiryPolicy.RESUME);
    }

    static OperationCall call() {
        return OperationCall.scope("tenant").key("key-1").request("10 EUR");
    }

    /** Work that runs until it is told how to end. */
    static final class HeldWork {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CompletableFuture<String> end = new CompletableFuture<>();

        String run() {
            begun.countDown();
            return end.join();
        }

        void awaitBegin() throws InterruptedException {
            assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
        }

        void end(String result) {
            end.complete(result);
        }
    }

    static String answerOf(Future<String> call) throws Exception {
        return call.get(1, TimeUnit.MINUTES);
    }

    @Test
    void leasedCompletionWakesWhoWaitsOnAnotherInstance() throws Exception {
        var work = new HeldWork();
        var running = threads.submit(() -> leased(runner).run(call(), claim -> work.run()));
        work.awaitBegin();
        var waiting = threads.submit(() -> leased(waiter).run(call(), claim -> "ran twice"));
        slowly.awaitSlowPoll();

        work.end("paid");

        assertThat(answerOf(waiting)).isEqualTo("paid");
        assertThat(answerOf(running)).isEqualTo("paid");
    }

    @Test
    void releaseLetsWhoWaitsOnAnotherInstanceRun() throws Exception {
        var work = new HeldWork();
        threads.submit(() -> leased(runner).run(call(), claim -> {
            work.run();
            throw new IllegalStateException("nothing was sent");
        }));
        work.awaitBegin();
        var waiting = threads.submit(() -> leased(waiter).run(call(), claim -> "paid by the second"));
        slowly.awaitSlowPoll();

        work.end("failed");

        assertThat(answerOf(waiting)).isEqualTo("paid by the second");
    }
}
