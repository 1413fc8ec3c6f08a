package dev.refrain.store.contract;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.Payload;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLabels;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.StagedMessage;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Messages, lease requests and settlements for the suites of the outbox. */
final class OutboxTestMessages {

    private OutboxTestMessages() {}

    static StagedMessage message(String topic, String text) {
        return new StagedMessage(ExecutionEnvironment.system().newNonce(), topic, null, payload(text));
    }

    static StagedMessage inOrder(String key, String text) {
        return new StagedMessage(ExecutionEnvironment.system().newNonce(), "t", key, payload(text));
    }

    static StagedMessage labelled(String text, MessageLabels labels) {
        return new StagedMessage(
                ExecutionEnvironment.system().newNonce(), "t", Optional.empty(), payload(text), labels);
    }

    /** Stages messages in one transaction, which commits. */
    static <C> void stage(TransactionalSuite<C> suite, StagedMessage... messages) throws Exception {
        suite.database().inTransaction(connection -> {
            for (var message : messages) {
                suite.outbox().stage(connection, message);
            }
        });
    }

    static List<LeasedMessage> take(TransactionalSuite<?> suite) {
        return suite.outbox().leaseMessages(order(10));
    }

    static Payload payload(String text) {
        return Payload.of(text.getBytes(StandardCharsets.UTF_8));
    }

    static MessageLeaseRequest order(int rows) {
        return new MessageLeaseRequest("t", OutboxContract.LEASE, rows, rows, OutboxContract.ANY_BYTES);
    }

    static List<String> texts(Collection<LeasedMessage> taken) {
        return taken.stream()
                .map(t -> new String(t.payload().bytes(), StandardCharsets.UTF_8))
                .toList();
    }

    static List<MessageSettlement> all(
            List<LeasedMessage> taken, Function<LeasedMessage, MessageSettlement> settlement) {
        return taken.stream().map(settlement).toList();
    }

    static MessageSettlement delivered(LeasedMessage taken) {
        return new MessageSettlement.Delivered(taken.row(), OutboxContract.NONE);
    }
}
