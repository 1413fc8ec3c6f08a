/** A payments API on Spring Boot. Its bank is another process, in {@code provider}. */
@NullMarked
package dev.refrain.examples.spring;

import org.jspecify.annotations.NullMarked;
