/** Protects handlers of WebFlux with a filter that blocks no event loop. Handlers run leased. */
@NullMarked
package dev.refrain.spring.webflux;

import org.jspecify.annotations.NullMarked;
