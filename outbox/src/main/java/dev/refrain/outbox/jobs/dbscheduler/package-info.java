/** Jobs that db-scheduler brings: their key is the identity of its task instances. */
@NullMarked
package dev.refrain.outbox.jobs.dbscheduler;

import org.jspecify.annotations.NullMarked;
