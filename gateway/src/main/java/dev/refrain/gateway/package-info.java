/** A reverse proxy that gives any HTTP service idempotency keys: one more edge over the same contract. */
@NullMarked
package dev.refrain.gateway;

import org.jspecify.annotations.NullMarked;
