/**
 * Messages that are staged in a transaction and delivered once it has committed. {@link dev.refrain.flow.outbox.Outbox} stages, {@link
 * dev.refrain.flow.outbox.Relay} delivers.
 */
@NullMarked
package dev.refrain.flow.outbox;

import org.jspecify.annotations.NullMarked;
