/**
 * Jobs that run once for a key, however often they are enqueued and by whatever queue. {@link dev.refrain.flow.jobs.Job} says what a job
 * is, {@link dev.refrain.flow.jobs.Jobs} enqueues, runs and knows results.
 */
@NullMarked
package dev.refrain.flow.jobs;

import org.jspecify.annotations.NullMarked;
