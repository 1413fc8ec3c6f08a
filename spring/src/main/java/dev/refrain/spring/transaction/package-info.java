/** Runs operations, flows and the outbox in Spring's transactions. */
@NullMarked
package dev.refrain.spring.transaction;

import org.jspecify.annotations.NullMarked;
