/** MySQL's and MariaDB's dialect and error codes. */
@NullMarked
package dev.refrain.store.jdbc.internal.mysql;

import org.jspecify.annotations.NullMarked;
