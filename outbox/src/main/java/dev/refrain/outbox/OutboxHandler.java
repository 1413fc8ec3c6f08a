package dev.refrain.outbox;
/**
 * Handles messages in this process, in the transaction that also settles the message: its writes take effect once. It may run more than
 * once before it commits, and must not call other systems; use an {@link OutboxTarget} for that.
 *
 * <p>An exception rolls its writes back, and the message is retried later. Throw {@link DeliveryRefusedException} if a retry is useless, and
 * {@link dev.refrain.phase.RetryLaterException} if the attempt is not to count.
 *
 * @param <C> the connection of the transaction
 */
@FunctionalInterface
public interface OutboxHandler<C> {

    void handle(C tx, MessageDelivery delivery) throws Exception;
}
