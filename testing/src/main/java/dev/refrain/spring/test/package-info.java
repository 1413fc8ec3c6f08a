/** Refrain in tests of Spring Boot applications: slices such as {@code @WebMvcTest} with keys in memory, and applications that are crashed. */
@NullMarked
package dev.refrain.spring.test;

import org.jspecify.annotations.NullMarked;
