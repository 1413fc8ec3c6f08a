/** Keyed jobs as tasks of db-scheduler. */
@NullMarked
package dev.refrain.outbox.jobs.dbscheduler;

import org.jspecify.annotations.NullMarked;
