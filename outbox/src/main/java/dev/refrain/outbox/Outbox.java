package dev.refrain.outbox;

import dev.refrain.ValueCodec;
import dev.refrain.api.ExecutionEnvironment;
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

/**
 * Stages messages in the application's own transactions: a message is delivered if and only if its transaction commits.
 *
 * {@snippet :
 * var outbox = Outbox.on(store.outbox());
 * outbox.stage(connection, "receipts", receipt);
 * }
 *
 * <p>Immutable, for any number of threads.
 *
 * @param <C> how a transaction is reached, such as {@code java.sql.Connection}
 */
public final class Outbox<C> {

    private static final int MAX_BODY_BYTES = 1 << 20;
    private static final int MAX_ORDER_KEY = 255;
    private static final int PAGE = 500;
    private static final int COUNT_LIMIT = 100_000;

    private final OutboxStore<C> store;
    private final ValueCodec codec;
    private final ExecutionEnvironment environment;
    private final int maxBodyBytes;

    private Outbox(OutboxStore<C> store, ValueCodec codec, ExecutionEnvironment environment, int maxBodyBytes) {
        this.store = store;
        this.codec = codec;
        this.environment = environment;
        this.maxBodyBytes = maxBodyBytes;
    }

    /** With the codec that Refrain has by itself, and bodies of up to 1 MiB. */
    public static <C> Outbox<C> on(OutboxStore<C> store) {
        return new Outbox<>(store, ValueCodec.standard(), ExecutionEnvironment.system(), MAX_BODY_BYTES);
    }

    public Outbox<C> with(ValueCodec other) {
        return new Outbox<>(store, other, environment, maxBodyBytes);
    }

    public Outbox<C> with(ExecutionEnvironment other) {
        return new Outbox<>(store, codec, other, maxBodyBytes);
    }

    /** A larger one is refused when it is staged. */
    public Outbox<C> maxBodyBytes(int bytes) {
        return new Outbox<>(store, codec, environment, bytes);
    }

    /** @param tx an open transaction: what a phase of a flow is given, or any of the application's own */
    public void stage(C tx, String topic, Object body) {
        stage(tx, OutboxMessage.of(topic, body));
    }

    /**
     * @throws IllegalArgumentException if the body is too large, or {@code tx} is no open transaction
     * @throws dev.refrain.store.StoreException if the database refused; the transaction is to be rolled back
     */
    public void stage(C tx, OutboxMessage message) {
        var bytes = bytes(message.body());
        if (bytes.length > maxBodyBytes) {
            throw new IllegalArgumentException("A message of the topic " + message.topic() + " has " + bytes.length
                    + " bytes, more than the " + maxBodyBytes
                    + " that are allowed: stage a reference to it, or allow more by maxBodyBytes.");
        }
        message.orderKey().ifPresent(Outbox::requireOrderKey);
        store.stage(
                tx, new StagedMessage(environment.newNonce(), message.topic(), message.orderKey(), Payload.of(bytes)));
    }

    private static void requireOrderKey(String key) {
        if (key.length() > MAX_ORDER_KEY || key.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("A key of order has up to " + MAX_ORDER_KEY + " characters and no NUL.");
        }
    }

    private byte[] bytes(Object body) {
        return switch (body) {
            case byte[] bytes -> bytes;
            case CharSequence text -> text.toString().getBytes(StandardCharsets.UTF_8);
            default -> codec.encode(body);
        };
    }

    /** Messages that are not sent any more, oldest first; pass the last one of a page to get the next. */
    public List<DeadLetter> deadLetters(Optional<DeadLetter> after, int limit) {
        return store.deadLetters(after, limit);
    }

    /**
     * Delivers a dead letter as if it had just been staged, under the same key. One whose end is unknown may then arrive twice: ask the other
     * side first.
     *
     * @return whether it was there
     */
    public boolean resend(UUID id, String who, String why) {
        return decided(id, DeadLetterDecision.Verdict.SEND_AGAIN, who, why);
    }

    /**
     * The same for all dead letters of a topic that died of this cause; answers how many. What dies again meanwhile stays dead.
     */
    public int resendAll(String topic, MessageSettlement.Cause cause, String who, String why) {
        var chosen = new HashSet<UUID>();
        int sent = 0;
        Optional<DeadLetter> last = Optional.empty();
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
                        new DeadLetterDecision(ids, DeadLetterDecision.Verdict.SEND_AGAIN, who, why));
            }
            last = page.isEmpty() ? last : Optional.of(page.getLast());
        } while (page.size() == PAGE);
        return sent;
    }

    /** Gives a dead letter up for good. */
    public boolean discard(UUID id, String who, String why) {
        return decided(id, DeadLetterDecision.Verdict.DISMISS, who, why);
    }

    /** What waits in a topic. */
    public TopicBacklog backlog(String topic) {
        return store.backlog(topic, COUNT_LIMIT);
    }

    private boolean decided(UUID id, DeadLetterDecision.Verdict verdict, String who, String why) {
        return store.resolveDeadLetters(
                        new DeadLetterDecision(List.of(Objects.requireNonNull(id, "id")), verdict, who, why))
                > 0;
    }
}
