package dev.refrain.outbox.jobs.jobrunr;

import dev.refrain.api.ScopedKey;
import dev.refrain.outbox.jobs.KeyedJob;
import java.util.UUID;

/**
 * What JobRunr needs to know a job by its key: an id that is the same for the same scope, job and key. JobRunr enqueues nothing under an id
 * that it has; once it has deleted the job, the job's record still knows the key.
 *
 * {@snippet :
 * jobScheduler.enqueue(JobRunrJobId.id(invoice, tenant, key), () -> invoices.run(tenant, key, order));
 * // where invoices.run calls jobs.run(invoice, tenant, key, order)
 * }
 */
public final class JobRunrJobId {

    private JobRunrJobId() {}

    /** Always the same for these three. */
    public static UUID of(KeyedJob<?, ?, ?> job, String scope, String key) {
        return new ScopedKey(scope, job.name(), key).hash().asUuid();
    }
}
