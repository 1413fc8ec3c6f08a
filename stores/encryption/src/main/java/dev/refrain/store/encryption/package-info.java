/** Encryption at rest, as a decorator of any store. */
@NullMarked
package dev.refrain.store.encryption;

import org.jspecify.annotations.NullMarked;
