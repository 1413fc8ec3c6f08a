/** Wake-ups between instances: waiters register, and the writer that ends the wait notifies them after its commit. */
@NullMarked
package dev.refrain.store.jdbc.internal.wakeup;

import org.jspecify.annotations.NullMarked;
