/** Hashing and encoding helpers for keys. */
@NullMarked
package dev.refrain.internal.key;

import org.jspecify.annotations.NullMarked;
