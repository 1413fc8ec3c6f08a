/**
 * Conformance suite for any HTTP API with idempotency keys. Independent of Refrain: sends requests to one route and
 * checks the responses.
 */
@NullMarked
package dev.refrain.verify;

import org.jspecify.annotations.NullMarked;
