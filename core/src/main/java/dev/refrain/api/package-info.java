/**
 * Values, exceptions and interfaces shared by applications, stores and the engine. Depends neither on {@code dev.refrain.store}
 * nor on {@code dev.refrain}, so that stores throw the exceptions that applications catch.
 */
@NullMarked
package dev.refrain.api;

import org.jspecify.annotations.NullMarked;
