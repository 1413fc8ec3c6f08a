/** Finds protected handlers and their policies; shared by MVC, WebFlux and bean methods. */
@NullMarked
package dev.refrain.spring.internal.handler;

import org.jspecify.annotations.NullMarked;
