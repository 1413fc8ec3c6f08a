/** Fifth step: what is kept of a run, for how long, and in which form. */
@NullMarked
package dev.refrain.outcome;

import org.jspecify.annotations.NullMarked;
