package dev.refrain.outbox.jobs.dbscheduler;

import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import dev.refrain.outbox.jobs.JobQueue;
import dev.refrain.outbox.jobs.KeyedJob;

/**
 * A job as a task of db-scheduler. As long as an instance is scheduled, a second one with its key is not; once it is gone from the
 * scheduler's table the job's record still knows the key.
 *
 * {@snippet :
 * var invoices = DbSchedulerJob.of(jobs, invoice);
 * var scheduler = Scheduler.create(dataSource, invoices.task()).build();
 * scheduler.scheduleIfNotExists(invoices.instance(tenant, "order-7", order), Instant.now());
 * }
 *
 * <p>Immutable, for any number of threads.
 *
 * @param <P> what is to be worked on
 */
public final class DbSchedulerJob<P> {

    private static final char END_OF_LENGTH = ':';

    private final OneTimeTask<P> task;

    private DbSchedulerJob(OneTimeTask<P> task) {
        this.task = task;
    }

    public static <P, R, C> DbSchedulerJob<P> of(JobQueue<C> jobs, KeyedJob<P, R, C> job) {
        return new DbSchedulerJob<>(
                Tasks.oneTime(job.name(), job.payloadType()).execute((instance, context) -> run(jobs, job, instance)));
    }

    private static <P, R, C> void run(JobQueue<C> jobs, KeyedJob<P, R, C> job, TaskInstance<P> instance) {
        String id = instance.getId();
        int colon = id.indexOf(END_OF_LENGTH);
        int keyAt = colon + 1 + Integer.parseInt(id.substring(0, colon));
        try {
            jobs.run(job, id.substring(colon + 1, keyAt), id.substring(keyAt), instance.getData());
        } catch (RuntimeException failed) {
            throw failed;
        } catch (Exception failed) {
            // The scheduler's handlers have no checked exceptions; it tries again as its task says.
            throw new IllegalStateException("The job " + job.name() + " failed.", failed);
        }
    }

    /** To be given to the scheduler. */
    public OneTimeTask<P> task() {
        return task;
    }

    /** To be scheduled by {@code scheduleIfNotExists}. Its id has at most 100 characters in the scheduler's own tables. */
    public TaskInstance<P> instance(String scope, String key, P payload) {
        return task.instance(scope.length() + String.valueOf(END_OF_LENGTH) + scope + key, payload);
    }
}
