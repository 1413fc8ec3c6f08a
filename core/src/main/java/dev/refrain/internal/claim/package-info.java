/** Acquires claims: queries the store and decides what a record means for a request, mismatch first. */
@NullMarked
package dev.refrain.internal.claim;

import org.jspecify.annotations.NullMarked;
