/** PostgreSQL's dialect and error codes. */
@NullMarked
package dev.refrain.store.jdbc.internal.postgresql;

import org.jspecify.annotations.NullMarked;
