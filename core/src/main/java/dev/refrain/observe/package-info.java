/** Events, listeners and observers, for metrics, traces and logs. */
@NullMarked
package dev.refrain.observe;

import org.jspecify.annotations.NullMarked;
