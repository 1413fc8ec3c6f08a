/** The natural batcher in front of the store: questions that queue up together travel together. */
@NullMarked
package dev.refrain.batch;

import org.jspecify.annotations.NullMarked;
