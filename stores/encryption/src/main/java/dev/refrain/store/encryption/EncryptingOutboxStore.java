package dev.refrain.store.encryption;

import dev.refrain.api.Payload;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.DeadLetterDecision;
import dev.refrain.store.outbox.DeliveryTransaction;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxRowRef;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagedMessage;
import dev.refrain.store.outbox.StagingListener;
import dev.refrain.store.outbox.TopicBacklog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The outbox of the store inside, with the contents of messages, and the reasons of failed deliveries, encrypted.
 *
 * <p>A message that does not decrypt is put off with the reason and without counting as an attempt: it blocks none but those that wait
 * behind it in order, and goes out once the key ring has its secret.
 */
record EncryptingOutboxStore<C>(OutboxStore<C> plain, MessageCipher cipher, FailureReasonCipher reasons)
        implements OutboxStore<C> {

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
                        cipher.encrypt(message.id(), message.payload()),
                        message.labels()));
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
                message.age(),
                message.labels());
    }

    @Override
    public Set<OutboxRowRef> settle(List<? extends MessageSettlement> settlements) {
        return plain.settle(settlements.stream().map(this::encrypt).toList());
    }

    private MessageSettlement encrypt(MessageSettlement settlement) {
        return switch (settlement) {
            case MessageSettlement.Delivered delivered -> delivered;
            case MessageSettlement.Failed failed ->
                new MessageSettlement.Failed(failed.row(), failed.pause(), sealed(failed.reason()));
            case MessageSettlement.Refused refused ->
                new MessageSettlement.Refused(refused.row(), refused.pause(), sealed(refused.reason()));
            case MessageSettlement.NotSent unsent ->
                new MessageSettlement.NotSent(unsent.row(), unsent.pause(), sealed(unsent.reason()));
            case MessageSettlement.Dead dead ->
                new MessageSettlement.Dead(dead.row(), dead.cause(), dead.open(), sealed(dead.reason()));
        };
    }

    private String sealed(String reason) {
        return reasons.encrypt(reason, FailureReasonCipher.OF_MESSAGES);
    }

    @Override
    public boolean encrypted() {
        return true;
    }

    @Override
    public DeliveryTransaction<C> begin() {
        return new EncryptingDelivery<>(plain.begin(), this);
    }

    @Override
    public DeliveryTransaction<C> begin(Duration timeout) {
        return new EncryptingDelivery<>(plain.begin(timeout), this);
    }

    private record EncryptingDelivery<C>(DeliveryTransaction<C> plain, EncryptingOutboxStore<C> outbox)
            implements DeliveryTransaction<C> {

        @Override
        public C connection() {
            return plain.connection();
        }

        @Override
        public boolean lostRace(Throwable failure) {
            return plain.lostRace(failure);
        }

        @Override
        public boolean settleAndCommit(List<? extends MessageSettlement> settlements) {
            return plain.settleAndCommit(
                    settlements.stream().map(outbox::encrypt).toList());
        }

        @Override
        public void close() {
            plain.close();
        }
    }

    @Override
    public List<DeadLetter> deadLetters(@Nullable DeadLetter after, int limit) {
        return plain.deadLetters(after, limit).stream()
                .map(letter -> decrypt(cipher, reasons, letter))
                .toList();
    }

    @Override
    public Optional<DeadLetter> findDeadLetter(String topic, String reference) {
        return plain.findDeadLetter(topic, reference).map(letter -> decrypt(cipher, reasons, letter));
    }

    /** Returns a dead letter that does not decrypt without its contents: a decision about it does not need them. */
    static DeadLetter decrypt(MessageCipher cipher, FailureReasonCipher reasons, DeadLetter letter) {
        String reason = reasons.decrypt(letter.reason(), FailureReasonCipher.OF_MESSAGES);
        try {
            return withContents(letter, reason, cipher.decrypt(letter.id(), letter.payload()));
        } catch (RowRejectedException unreadable) {
            return withContents(letter, reason + " (" + unreadable.getMessage() + ")", Payload.of(new byte[0]));
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
    public WakeupSubscription subscribeToCommits(StagingListener listener) {
        return plain.subscribeToCommits(listener);
    }
}
