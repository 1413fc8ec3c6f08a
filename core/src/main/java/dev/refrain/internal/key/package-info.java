/** Hashing and encoding of keys. */
@NullMarked
package dev.refrain.internal.key;

import org.jspecify.annotations.NullMarked;
