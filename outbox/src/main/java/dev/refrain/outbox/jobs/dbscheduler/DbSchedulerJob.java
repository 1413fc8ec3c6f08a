package dev.refrain.outbox.jobs.dbscheduler;

import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import dev.refrain.api.ClientKey;
import dev.refrain.outbox.jobs.KeyedJob;
import dev.refrain.outbox.jobs.KeyedJobQueue;

/**
 * Keyed job as a task of db-scheduler. While an instance is scheduled, db-scheduler adds no second one with its key; after it is gone from
 * the scheduler's table, the job's record deduplicates the key.
 *
 * {@snippet :
 * var invoices = DbSchedulerJob.of(jobs, invoice);
 * var scheduler = Scheduler.create(dataSource, invoices.task()).build();
 * scheduler.scheduleIfNotExists(invoices.instance(ClientKey.scope(tenant).key("order-7"), order), Instant.now());
 * }
 *
 * <p>Immutable; safe for use by many threads.
 *
 * @param <P> the payload
 */
public final class DbSchedulerJob<P> {

    private static final char END_OF_LENGTH = ':';

    private final OneTimeTask<P> task;

    private DbSchedulerJob(OneTimeTask<P> task) {
        this.task = task;
    }

    /** Returns the task of a job. */
    public static <P, R, C> DbSchedulerJob<P> of(KeyedJobQueue<C> jobs, KeyedJob<P, R, C> job) {
        return new DbSchedulerJob<>(
                Tasks.oneTime(job.name(), job.payloadType()).execute((instance, context) -> run(jobs, job, instance)));
    }

    private static <P, R, C> void run(KeyedJobQueue<C> jobs, KeyedJob<P, R, C> job, TaskInstance<P> instance) {
        String id = instance.getId();
        int colon = id.indexOf(END_OF_LENGTH);
        int keyAt = colon + 1 + Integer.parseInt(id.substring(0, colon));
        try {
            jobs.run(job, ClientKey.scope(id.substring(colon + 1, keyAt)).key(id.substring(keyAt)), instance.getData());
        } catch (RuntimeException failed) {
            throw failed;
        } catch (Exception failed) {
            // The scheduler's handlers throw no checked exceptions; it retries as its task says.
            throw new IllegalStateException(
                    "Job " + job.name() + " failed; db-scheduler retries it as the task says.", failed);
        }
    }

    /** Returns the task to register with the scheduler. */
    public OneTimeTask<P> task() {
        return task;
    }

    /** Returns an instance for {@code scheduleIfNotExists}. The scheduler's own tables limit its id to 100 characters. */
    public TaskInstance<P> instance(ClientKey key, P payload) {
        return task.instance(key.scope().length() + String.valueOf(END_OF_LENGTH) + key.scope() + key.key(), payload);
    }
}
