/** Adds derived keys to calls of RestClient and WebClient. */
@NullMarked
package dev.refrain.spring.outgoing;

import org.jspecify.annotations.NullMarked;
