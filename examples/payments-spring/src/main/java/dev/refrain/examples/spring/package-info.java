/** Payments API on Spring Boot. Its bank is a second process, in {@code provider}. */
@NullMarked
package dev.refrain.examples.spring;

import org.jspecify.annotations.NullMarked;
