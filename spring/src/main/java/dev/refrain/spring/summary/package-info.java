/** Says in one line at startup what is protected, and how. */
@NullMarked
package dev.refrain.spring.summary;

import org.jspecify.annotations.NullMarked;
