/** Whose keys a request uses: from what was verified, never from what a client can forge. */
@NullMarked
package dev.refrain.gateway.scope;

import org.jspecify.annotations.NullMarked;
