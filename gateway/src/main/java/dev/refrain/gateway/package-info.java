/** Reverse proxy that gives any HTTP service idempotency keys. */
@NullMarked
package dev.refrain.gateway;

import org.jspecify.annotations.NullMarked;
