/** Buffers bodies within the memory of an exchange; for Refrain's own edges. */
@NullMarked
package dev.refrain.http.internal.body;

import org.jspecify.annotations.NullMarked;
