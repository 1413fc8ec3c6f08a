/** Micrometer metrics and observations for Refrain. */
@NullMarked
package dev.refrain.metrics;

import org.jspecify.annotations.NullMarked;
