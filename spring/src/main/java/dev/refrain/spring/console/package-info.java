/** Serves the operator console inside a servlet application. */
@NullMarked
package dev.refrain.spring.console;

import org.jspecify.annotations.NullMarked;
