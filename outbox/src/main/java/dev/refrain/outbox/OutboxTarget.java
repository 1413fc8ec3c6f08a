package dev.refrain.outbox;
/**
 * Sends messages to another system: an HTTP endpoint, a broker, a mail server. Returns once the other side has it for good.
 *
 * <p>What it throws says what is known of the end:
 *
 * <ul>
 *   <li>{@link dev.refrain.api.NotSentException}: certainly nothing arrived. It is sent again, and this attempt does not count.
 *   <li>{@link DeliveryRefusedException}: it arrived, and certainly nothing was done about it.
 *   <li>anything else: it may have arrived. What happens then depends on what the other side offers ({@link
 *       dev.refrain.api.Downstream}).
 * </ul>
 *
 * <p>Used by many threads at once. One that takes too long is interrupted.
 */
@FunctionalInterface
public interface OutboxTarget {

    void send(MessageDelivery delivery) throws Exception;
}
