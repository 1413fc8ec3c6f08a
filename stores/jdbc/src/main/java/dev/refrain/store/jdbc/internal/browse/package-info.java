/** Searches records and messages without scanning whole tables. */
@NullMarked
package dev.refrain.store.jdbc.internal.browse;

import org.jspecify.annotations.NullMarked;
