/**
 * Jobs that run once for a key, however often they are enqueued and by whatever queue. {@link dev.refrain.outbox.jobs.KeyedJob} says what a job
 * is, {@link dev.refrain.outbox.jobs.JobQueue} enqueues, runs and knows results.
 */
@NullMarked
package dev.refrain.outbox.jobs;

import org.jspecify.annotations.NullMarked;
