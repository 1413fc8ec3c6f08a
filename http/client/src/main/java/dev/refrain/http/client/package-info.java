/** HTTP client that sends each request under one idempotency key until it gets a final response. */
@NullMarked
package dev.refrain.http.client;

import org.jspecify.annotations.NullMarked;
