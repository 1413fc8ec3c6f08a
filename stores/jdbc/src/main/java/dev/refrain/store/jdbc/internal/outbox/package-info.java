/** Stages, leases and settles messages of the outbox. */
@NullMarked
package dev.refrain.store.jdbc.internal.outbox;

import org.jspecify.annotations.NullMarked;
