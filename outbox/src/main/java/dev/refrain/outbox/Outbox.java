package dev.refrain.outbox;

import dev.refrain.Refrain;
import dev.refrain.api.Payload;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.DeadLetterDecision;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagedMessage;
import dev.refrain.store.outbox.TopicBacklog;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Stages messages in the application's own transactions: a message is delivered if and only if its transaction commits. Also lists dead
 * letters and resends or discards them.
 *
 * {@snippet :
 * var outbox = Outbox.on(refrain, store.outbox());
 * outbox.stage(connection, "receipts", receipt);
 * }
 *
 * <p>Uses the codec and environment of its {@link Refrain}. Immutable; safe for use by many threads.
 *
 * @param <C> the connection of a transaction, such as {@code java.sql.Connection}
 */
public final class Outbox<C> {

    private static final int MAX_BODY_BYTES = 1 << 20;
    private static final int MAX_ORDER_KEY = 255;
    private static final int PAGE = 500;
    private static final int COUNT_LIMIT = 100_000;

    private final Refrain refrain;
    private final OutboxStore<C> store;
    private final int maxBodyBytes;

    private Outbox(Refrain refrain, OutboxStore<C> store, int maxBodyBytes) {
        this.refrain = refrain;
        this.store = store;
        this.maxBodyBytes = maxBodyBytes;
    }

    /**
     * Returns an outbox for bodies of up to 1 MiB.
     *
     * @throws IllegalArgumentException if the Refrain's store encrypts and this one does not
     */
    public static <C> Outbox<C> on(Refrain refrain, OutboxStore<C> store) {
        refrain.requireOwnOutbox(store, "Cannot stage messages");
        return new Outbox<>(refrain, store, MAX_BODY_BYTES);
    }

    /** Returns the same outbox with another limit for bodies; larger ones are refused when they are staged. */
    public Outbox<C> maxBodyBytes(int bytes) {
        return new Outbox<>(refrain, store, bytes);
    }

    /**
     * Stages a message without order; see {@link #stage(Object, OutboxMessage)}.
     *
     * @param tx an open transaction of the application, such as the one that a phase of a flow is given
     * @param body bytes, text, or a value for the codec
     */
    public void stage(C tx, String topic, Object body) {
        stage(tx, OutboxMessage.of(topic, body));
    }

    /**
     * Stages a message, which is delivered if and only if the transaction commits.
     *
     * @throws IllegalArgumentException if the body is too large, or {@code tx} is not an open transaction
     * @throws dev.refrain.store.StoreException if the database failed; roll the transaction back
     */
    public void stage(C tx, OutboxMessage message) {
        var bytes = bytes(message.body());
        if (bytes.length > maxBodyBytes) {
            throw new IllegalArgumentException(
                    "Cannot stage a message of topic " + message.topic() + ": its body has " + bytes.length
                            + " bytes, and the limit is " + maxBodyBytes
                            + ". Stage a reference instead, or raise maxBodyBytes.");
        }
        message.orderKey().ifPresent(Outbox::requireOrderKey);
        store.stage(
                tx,
                new StagedMessage(
                        refrain.environment().newNonce(),
                        message.topic(),
                        message.orderKey(),
                        Payload.of(bytes),
                        message.labels()));
    }

    private static void requireOrderKey(String key) {
        if (key.length() > MAX_ORDER_KEY || key.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "Invalid order key: use up to " + MAX_ORDER_KEY + " characters without NUL.");
        }
    }

    private byte[] bytes(Object body) {
        return switch (body) {
            case byte[] bytes -> bytes;
            case CharSequence text -> text.toString().getBytes(StandardCharsets.UTF_8);
            default -> refrain.codec().encode(body);
        };
    }

    /** Lists the oldest dead letters. */
    public List<DeadLetter> deadLetters(int limit) {
        return store.deadLetters(null, limit);
    }

    /**
     * Lists dead letters, oldest first.
     *
     * @param after the last one of the previous page
     */
    public List<DeadLetter> deadLetters(DeadLetter after, int limit) {
        return store.deadLetters(after, limit);
    }

    /** Finds the newest dead letter of a topic that was staged with this {@linkplain OutboxMessage#labels reference}. */
    public Optional<DeadLetter> findDeadLetter(String topic, String reference) {
        return store.findDeadLetter(topic, reference);
    }

    /**
     * Resends a dead letter, under the same key and with new attempts. Resending one whose cause is {@code UNKNOWN} asserts that it was
     * never delivered: ask the other side first.
     *
     * @param who the person who decides, for the audit trail
     * @param why the reason, for the audit trail
     * @return whether there was a dead letter with this id
     */
    public boolean resend(UUID id, String who, String why) {
        return decided(id, DeadLetterDecision.Action.RESEND, who, why);
    }

    /**
     * Resends all dead letters of a topic that have this cause. Those that become dead letters again meanwhile are not resent twice.
     *
     * @return how many were resent
     */
    public int resendAll(String topic, MessageSettlement.Cause cause, String who, String why) {
        var chosen = new HashSet<UUID>();
        int sent = 0;
        @Nullable DeadLetter last = null;
        List<DeadLetter> page;
        do {
            page = store.deadLetters(last, PAGE);
            var ids = page.stream()
                    .filter(letter -> letter.topic().equals(topic) && letter.cause() == cause)
                    .map(DeadLetter::id)
                    .filter(chosen::add)
                    .toList();
            if (!ids.isEmpty()) {
                sent += store.resolveDeadLetters(
                        new DeadLetterDecision(ids, DeadLetterDecision.Action.RESEND, who, why));
            }
            last = page.isEmpty() ? last : page.getLast();
        } while (page.size() == PAGE);
        return sent;
    }

    /**
     * Discards a dead letter: it is deleted and never delivered.
     *
     * @return whether there was a dead letter with this id
     */
    public boolean discard(UUID id, String who, String why) {
        return decided(id, DeadLetterDecision.Action.DISCARD, who, why);
    }

    /** Counts the messages that wait in a topic. */
    public TopicBacklog backlog(String topic) {
        return store.backlog(topic, COUNT_LIMIT);
    }

    private boolean decided(UUID id, DeadLetterDecision.Action action, String who, String why) {
        return store.resolveDeadLetters(
                        new DeadLetterDecision(List.of(Objects.requireNonNull(id, "id")), action, who, why))
                > 0;
    }
}
