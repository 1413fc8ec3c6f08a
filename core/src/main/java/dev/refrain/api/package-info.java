/** Values, exceptions and interfaces that applications, stores and the engine share. */
@NullMarked
package dev.refrain.api;

import org.jspecify.annotations.NullMarked;
