/** Third step: the exclusive right to run, and what a claim can be answered with. */
@NullMarked
package dev.refrain.claim;

import org.jspecify.annotations.NullMarked;
