package dev.refrain.outbox.jobs.jobrunr;

import dev.refrain.api.ClientKey;
import dev.refrain.outbox.jobs.KeyedJob;
import java.util.UUID;

/**
 * Id of a keyed job in JobRunr, the same for the same scope, job and key. JobRunr enqueues nothing under an id that it has; after it has
 * deleted the job, the job's record deduplicates the key.
 *
 * {@snippet :
 * jobScheduler.enqueue(JobRunrJobId.of(invoice, ClientKey.scope(tenant).key(key)), () -> invoices.run(tenant, key, order));
 * // where invoices.run calls jobs.run(invoice, ClientKey.scope(tenant).key(key), order)
 * }
 */
public final class JobRunrJobId {

    private JobRunrJobId() {}

    /** Returns the id of a job under a key. */
    public static UUID of(KeyedJob<?, ?, ?> job, ClientKey key) {
        return key.inNamespace(job.name()).hash().asUuid();
    }
}
