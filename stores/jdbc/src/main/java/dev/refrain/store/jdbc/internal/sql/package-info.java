/** Runs named SQL scripts: parameters, rows, error classification, dialects. */
@NullMarked
package dev.refrain.store.jdbc.internal.sql;

import org.jspecify.annotations.NullMarked;
