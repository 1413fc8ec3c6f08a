/** SQLite's dialect, error codes and data source. */
@NullMarked
package dev.refrain.store.jdbc.internal.sqlite;

import org.jspecify.annotations.NullMarked;
