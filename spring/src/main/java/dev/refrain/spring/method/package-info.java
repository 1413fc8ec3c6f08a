/** Protects bean methods that are annotated with Idempotent. */
@NullMarked
package dev.refrain.spring.method;

import org.jspecify.annotations.NullMarked;
