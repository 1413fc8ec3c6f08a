/** What happens, in Micrometer. */
@NullMarked
package dev.refrain.metrics;

import org.jspecify.annotations.NullMarked;
