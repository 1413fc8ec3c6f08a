/** Idempotency keys that hold: the front door. */
@NullMarked
package dev.refrain;

import org.jspecify.annotations.NullMarked;
