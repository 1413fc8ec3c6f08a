/** Sixth step: answering what is already done, and waiting for what soon will be. */
@NullMarked
package dev.refrain.replay;

import org.jspecify.annotations.NullMarked;
