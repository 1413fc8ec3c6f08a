/** Batches calls to the store: requests that queue up while a batch is in flight travel together in the next one. */
@NullMarked
package dev.refrain.internal.batch;

import org.jspecify.annotations.NullMarked;
