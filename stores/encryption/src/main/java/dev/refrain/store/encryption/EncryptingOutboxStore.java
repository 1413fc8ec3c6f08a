package dev.refrain.store.encryption;

import dev.refrain.api.Payload;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.DeadLetterDecision;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxRowRef;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.OutboxTransaction;
import dev.refrain.store.outbox.StagedMessage;
import dev.refrain.store.outbox.TopicBacklog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The outbox of the store inside, with the contents of messages encrypted.
 *
 * <p>A message that does not decrypt is put off with the reason and without counting as an attempt: it blocks none but those that wait
 * behind it in order, and goes out once the key ring has its secret.
 */
record EncryptingOutboxStore<C>(OutboxStore<C> plain, MessageCipher cipher) implements OutboxStore<C> {

    /** Until a message that does not decrypt is looked at again. */
    private static final Duration UNREADABLE_PAUSE = Duration.ofMinutes(1);

    @Override
    public void stage(C connection, StagedMessage message) {
        plain.stage(
                connection,
                new StagedMessage(
                        message.id(),
                        message.topic(),
                        message.orderKey(),
                        cipher.encrypt(message.id(), message.payload())));
    }

    @Override
    public List<LeasedMessage> leaseMessages(MessageLeaseRequest order) {
        var readable = new ArrayList<LeasedMessage>();
        var putOff = new ArrayList<MessageSettlement>();
        for (var message : plain.leaseMessages(order)) {
            try {
                readable.add(decrypt(message));
            } catch (RowRejectedException unreadable) {
                putOff.add(new MessageSettlement.NotSent(
                        message.row(), UNREADABLE_PAUSE, String.valueOf(unreadable.getMessage())));
            }
        }
        if (!putOff.isEmpty()) {
            plain.settle(putOff);
        }
        return readable;
    }

    private LeasedMessage decrypt(LeasedMessage message) {
        return new LeasedMessage(
                message.row(),
                message.id(),
                message.topic(),
                message.lane(),
                message.orderKey(),
                cipher.decrypt(message.id(), message.payload()),
                message.attempts(),
                message.unresolvedAttempts(),
                message.unresolvedSince(),
                message.age());
    }

    @Override
    public Set<OutboxRowRef> settle(List<? extends MessageSettlement> settlements) {
        return plain.settle(settlements);
    }

    @Override
    public OutboxTransaction<C> begin() {
        return plain.begin();
    }

    @Override
    public List<DeadLetter> deadLetters(Optional<DeadLetter> after, int limit) {
        return plain.deadLetters(after, limit).stream()
                .map(letter -> decrypt(cipher, letter))
                .toList();
    }

    /** One that does not decrypt is shown without its contents: whoever decides about it needs them not. */
    static DeadLetter decrypt(MessageCipher cipher, DeadLetter letter) {
        try {
            return withContents(letter, letter.reason(), cipher.decrypt(letter.id(), letter.payload()));
        } catch (RowRejectedException unreadable) {
            return withContents(
                    letter, letter.reason() + " (" + unreadable.getMessage() + ")", Payload.of(new byte[0]));
        }
    }

    private static DeadLetter withContents(DeadLetter letter, String reason, Payload contents) {
        return new DeadLetter(
                letter.id(), letter.topic(), letter.cause(), reason, letter.attempts(), letter.since(), contents);
    }

    @Override
    public int resolveDeadLetters(DeadLetterDecision decision) {
        return plain.resolveDeadLetters(decision);
    }

    @Override
    public int reap(int limit) {
        return plain.reap(limit);
    }

    @Override
    public TopicBacklog backlog(String topic, int limit) {
        return plain.backlog(topic, limit);
    }

    @Override
    public WakeupSubscription subscribeToCommits(Consumer<String> topics) {
        return plain.subscribeToCommits(topics);
    }
}
