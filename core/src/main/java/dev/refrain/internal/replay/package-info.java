/** Replays completed outcomes from a local cache and wakes callers that wait for one. */
@NullMarked
package dev.refrain.internal.replay;

import org.jspecify.annotations.NullMarked;
