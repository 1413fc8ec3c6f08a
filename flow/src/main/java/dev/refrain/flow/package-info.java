/**
 * Operations that mix local writes and calls of other systems. A {@link dev.refrain.flow.Flow} has named points; each of its phases
 * commits what it writes together with the point it leads to, so that a retry goes on at the first phase that is not done. Calls of
 * other systems happen between transactions, under a key that is the same for every attempt.
 */
@NullMarked
package dev.refrain.flow;

import org.jspecify.annotations.NullMarked;
