/** Scopes of requests, from verified sources that a client cannot forge. */
@NullMarked
package dev.refrain.gateway.internal.scope;

import org.jspecify.annotations.NullMarked;
