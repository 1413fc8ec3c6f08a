package dev.refrain.outbox;

import static dev.refrain.servers.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.kagkarlsson.scheduler.Scheduler;
import dev.refrain.api.ClientKey;
import dev.refrain.outbox.jobs.JobResult;
import dev.refrain.outbox.jobs.KeyedJob;
import dev.refrain.outbox.jobs.KeyedJobQueue;
import dev.refrain.outbox.jobs.dbscheduler.DbSchedulerJob;
import dev.refrain.outbox.jobs.jobrunr.JobRunrJobId;
import java.io.Serializable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.states.StateName;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.InMemoryStorageProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queues of another make bring a job at least once, and forget it: it runs once all the same. */
class ThirdPartyQueueTest extends RelayFixture {

    record Order(String article) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    private KeyedJobQueue<Connection> jobs;

    private final KeyedJob<Order, String, Connection> invoice =
            KeyedJob.transactional("invoice", Order.class, String.class, (tx, order) -> {
                insert(tx, order.article());
                return "i-" + order.article();
            });

    @Override
    OutboxTestDatabase database() {
        return OutboxTestDatabase.postgres();
    }

    @BeforeEach
    void openJobs() {
        jobs = KeyedJobQueue.on(refrain, store.transactions(), rows);
    }

    private static final String SCHEDULED_TASKS = "CREATE TABLE scheduled_tasks (task_name text NOT NULL,"
            + " task_instance text NOT NULL, task_data bytea, execution_time timestamptz NOT NULL, picked boolean NOT NULL,"
            + " picked_by text, last_success timestamptz, last_failure timestamptz, consecutive_failures int,"
            + " last_heartbeat timestamptz, version bigint NOT NULL, priority smallint,"
            + " PRIMARY KEY (task_name, task_instance))";

    @Test
    void dbSchedulerKnowsAJobByItsKeyAndTheRecordLonger() {
        execute(SCHEDULED_TASKS);
        var invoices = DbSchedulerJob.of(jobs, invoice);
        var order = new Order("book");
        var scheduler = Scheduler.create(source, invoices.task())
                .pollingInterval(Duration.ofMillis(100))
                .threads(2)
                .build();
        var later = Instant.now().plusSeconds(3600);
        assertThat(scheduler.scheduleIfNotExists(
                        invoices.instance(ClientKey.scope("shop").key("k:1"), order), later))
                .isTrue();
        assertThat(scheduler.scheduleIfNotExists(
                        invoices.instance(ClientKey.scope("shop").key("k:1"), order), later))
                .isFalse();
        assertThat(scheduler.scheduleIfNotExists(
                        invoices.instance(ClientKey.scope("sho").key("pk:1"), new Order("pen")), later))
                .isTrue();
        execute("UPDATE scheduled_tasks SET execution_time = now()");
        scheduler.start();
        try {
            await().until(() -> done().size() == 2 && scheduled() == 0);

            // Its table has forgotten the key.
            assertThat(scheduler.scheduleIfNotExists(
                            invoices.instance(ClientKey.scope("shop").key("k:1"), order), Instant.now()))
                    .isTrue();
            await().until(() -> scheduled() == 0);
        } finally {
            scheduler.stop();
        }
        assertThat(done()).containsExactlyInAnyOrder("book", "pen");
        assertThat(jobs.result(invoice, ClientKey.scope("shop").key("k:1"))).isEqualTo(new JobResult.Done<>("i-book"));
    }

    private long scheduled() {
        try (var connection = source.getConnection();
                var statement = connection.createStatement();
                var result = statement.executeQuery("SELECT count(*) FROM scheduled_tasks")) {
            result.next();
            return result.getLong(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** What JobRunr calls. */
    public record Invoices(KeyedJobQueue<Connection> jobs, KeyedJob<Order, String, Connection> invoice) {
        public void run(String scope, String key, String article) throws Exception {
            jobs.run(invoice, ClientKey.scope(scope).key(key), new Order(article));
        }
    }

    @Test
    void jobRunrKnowsAJobByItsKeyAndTheRecordLonger() {
        var storage = new InMemoryStorageProvider();
        var invoices = new Invoices(jobs, invoice);
        var jobRunr = JobRunr.configure()
                .useStorageProvider(storage)
                .useJobActivator(new JobActivator() {
                    @Override
                    public <T> T activateJob(Class<T> type) {
                        return type.cast(invoices);
                    }
                })
                .useBackgroundJobServer(BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                        .andPollInterval(Duration.ofMillis(500)))
                .initialize();
        try {
            var id = JobRunrJobId.of(invoice, ClientKey.scope("shop").key("k"));
            assertThat(JobRunrJobId.of(invoice, ClientKey.scope("shop").key("k")))
                    .isEqualTo(id);
            assertThat(JobRunrJobId.of(invoice, ClientKey.scope("shop").key("l")))
                    .isNotEqualTo(id);
            var scheduler = jobRunr.getJobScheduler();
            for (int i = 0; i < 2; i++) {
                scheduler.<Invoices>enqueue(id, x -> x.run("shop", "k", "book"));
            }
            await().until(() -> storage.getJobById(id).hasState(StateName.SUCCEEDED));

            storage.deletePermanently(id);
            scheduler.<Invoices>enqueue(id, x -> x.run("shop", "k", "book"));
            await().until(() -> storage.getJobById(id).hasState(StateName.SUCCEEDED));
        } finally {
            JobRunr.destroy();
        }
        assertThat(done()).containsExactly("book");
        assertThat(jobs.result(invoice, ClientKey.scope("shop").key("k"))).isEqualTo(new JobResult.Done<>("i-book"));
    }
}
