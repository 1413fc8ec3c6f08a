/**
 * SPI of the outbox, for stores with transactions: messages are staged in a transaction and delivered after its commit. Read
 * {@link dev.refrain.store.outbox.OutboxStore} first.
 */
@Incubating
@NullMarked
package dev.refrain.store.outbox;

import dev.refrain.api.Incubating;
import org.jspecify.annotations.NullMarked;
