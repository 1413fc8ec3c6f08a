/** Everything observable, in one place. */
@NullMarked
package dev.refrain.observe;

import org.jspecify.annotations.NullMarked;
