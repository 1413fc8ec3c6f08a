package dev.refrain.outbox.jobs.jobrunr;

import dev.refrain.api.ScopedKey;
import dev.refrain.outbox.jobs.KeyedJob;
import java.util.UUID;

/**
 * Id of a keyed job in JobRunr, the same for the same scope, job and key. JobRunr enqueues nothing under an id that it has; after it has
 * deleted the job, the job's record deduplicates the key.
 *
 * {@snippet :
 * jobScheduler.enqueue(JobRunrJobId.of(invoice, tenant, key), () -> invoices.run(tenant, key, order));
 * // where invoices.run calls jobs.run(invoice, tenant, key, order)
 * }
 */
public final class JobRunrJobId {

    private JobRunrJobId() {}

    /** Returns the id for a job, a scope and a key. */
    public static UUID of(KeyedJob<?, ?, ?> job, String scope, String key) {
        return new ScopedKey(scope, job.name(), key).hash().asUuid();
    }
}
