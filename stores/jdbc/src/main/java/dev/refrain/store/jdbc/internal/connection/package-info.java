/** Dedicated connections of the store, kept apart from those of callers. */
@NullMarked
package dev.refrain.store.jdbc.internal.connection;

import org.jspecify.annotations.NullMarked;
