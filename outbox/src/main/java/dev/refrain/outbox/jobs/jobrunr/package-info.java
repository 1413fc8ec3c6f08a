/** Ids of keyed jobs for JobRunr. */
@NullMarked
package dev.refrain.outbox.jobs.jobrunr;

import org.jspecify.annotations.NullMarked;
