/**
 * Jobs that take effect once per key, however often they are enqueued and by whichever queue. Declare a {@link
 * dev.refrain.outbox.jobs.KeyedJob}; enqueue and run it with a {@link dev.refrain.outbox.jobs.KeyedJobQueue}.
 */
@NullMarked
package dev.refrain.outbox.jobs;

import org.jspecify.annotations.NullMarked;
