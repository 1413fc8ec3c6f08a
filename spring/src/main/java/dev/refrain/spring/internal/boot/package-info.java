/** What differs between the generations of Spring Boot; each starter brings its own. */
@NullMarked
package dev.refrain.spring.internal.boot;

import org.jspecify.annotations.NullMarked;
