/** Chooses the dialect of a database. */
@NullMarked
package dev.refrain.store.jdbc.internal;

import org.jspecify.annotations.NullMarked;
