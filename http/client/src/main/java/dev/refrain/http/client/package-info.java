/** The other end of the contract: a client that sends an intent until it is answered, under one key. */
@NullMarked
package dev.refrain.http.client;

import org.jspecify.annotations.NullMarked;
