package dev.refrain.outbox;
/**
 * Takes messages in this process, in a transaction in which the message is settled too: what it writes there takes effect once. Before that
 * commits it may run more than once, and must not call other systems; what does is a {@link OutboxTarget}.
 *
 * <p>What it throws takes back what it wrote, and the message is tried again later. {@link DeliveryRefusedException} says that trying again
 * is in vain; {@link dev.refrain.phase.RetryLaterException} that it is not to count.
 *
 * @param <C> how it reaches the database
 */
@FunctionalInterface
public interface OutboxHandler<C> {

    void handle(C tx, MessageDelivery delivery) throws Exception;
}
