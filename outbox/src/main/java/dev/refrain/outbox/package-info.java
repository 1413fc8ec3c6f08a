/**
 * Messages that are staged in a transaction and delivered once it has committed. {@link dev.refrain.outbox.Outbox} stages, {@link
 * dev.refrain.outbox.Relay} delivers.
 */
@NullMarked
package dev.refrain.outbox;

import org.jspecify.annotations.NullMarked;
