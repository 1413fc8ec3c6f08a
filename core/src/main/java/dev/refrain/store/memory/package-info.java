/** The in-memory reference store. */
@NullMarked
package dev.refrain.store.memory;

import org.jspecify.annotations.NullMarked;
