/**
 * Operations that mix local writes with calls of other systems. A {@link dev.refrain.flow.Flow} has named points; each of its phases commits
 * its writes together with the point that it leads to, so that a retry continues after the last committed phase. Calls of other systems
 * happen between transactions, under a derived key that is the same for every attempt.
 */
@NullMarked
package dev.refrain.flow;

import org.jspecify.annotations.NullMarked;
