/** Jobs that JobRunr brings: their id there is made from their key. */
@NullMarked
package dev.refrain.outbox.jobs.jobrunr;

import org.jspecify.annotations.NullMarked;
