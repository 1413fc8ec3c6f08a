/** Calls to other systems from inside an operation: each under a key derived from the operation's record. */
@NullMarked
package dev.refrain.http.outgoing;

import org.jspecify.annotations.NullMarked;
