/**
 * Messages that are staged in a transaction and delivered after it has committed: the SPI for stores that have transactions. Read {@link
 * dev.refrain.store.outbox.OutboxStore} first.
 */
@NullMarked
package dev.refrain.store.outbox;

import org.jspecify.annotations.NullMarked;
