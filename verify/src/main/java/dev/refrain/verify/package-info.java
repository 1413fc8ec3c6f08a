/**
 * A conformance suite for any HTTP API that claims idempotency keys, ours or not. It knows nothing of Refrain: it sends requests to the
 * one route it was given, and judges what comes back.
 */
@NullMarked
package dev.refrain.verify;

import org.jspecify.annotations.NullMarked;
