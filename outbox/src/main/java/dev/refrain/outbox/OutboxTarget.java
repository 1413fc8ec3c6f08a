package dev.refrain.outbox;
/**
 * Sends messages to another system: an HTTP endpoint, a broker, a mail server. It returns once the other system has stored the message.
 *
 * <p>Its exceptions say what is known of the delivery:
 *
 * <ul>
 *   <li>{@link dev.refrain.api.NotSentException}: nothing arrived. The message is sent again, and this attempt does not count.
 *   <li>{@link DeliveryRefusedException}: the message arrived and had no effect.
 *   <li>any other exception: the message may have arrived. The guarantee of the other system decides what happens next ({@link
 *       dev.refrain.api.Downstream}).
 * </ul>
 *
 * <p>Implementations must be safe for use by many threads. A call that exceeds the timeout of its topic is interrupted.
 */
@FunctionalInterface
public interface OutboxTarget {

    void send(MessageDelivery delivery) throws Exception;
}
