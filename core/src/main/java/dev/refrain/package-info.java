/** Main API: start with {@link dev.refrain.Refrain}, then define an {@link dev.refrain.Operation}. */
@NullMarked
package dev.refrain;

import org.jspecify.annotations.NullMarked;
