/** Finds Spring's transactions and runs Refrain's work in them. */
@NullMarked
package dev.refrain.spring.internal.transaction;

import org.jspecify.annotations.NullMarked;
