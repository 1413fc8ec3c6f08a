/** WebFlux: the same contract in a filter that blocks no event loop. Handlers run leased. */
@NullMarked
package dev.refrain.spring.webflux;

import org.jspecify.annotations.NullMarked;
