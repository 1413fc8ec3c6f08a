package dev.refrain.cli;

import dev.refrain.store.outbox.DeadLetterView;
import dev.refrain.store.outbox.TopicSummary;
import dev.refrain.store.outbox.WaitingMessage;
import tools.jackson.databind.node.ObjectNode;

/** JSON form of outbox messages, dead letters and topic counts. Absent values are omitted. */
final class OutboxMessageJson {

    private OutboxMessageJson() {}

    static ObjectNode of(TopicSummary topic) {
        var json = RecordJson.object()
                .put("topic", topic.topic())
                .put("waiting", topic.waiting())
                .put("underWay", topic.underWay())
                .put("failing", topic.failing())
                .put("dead", topic.dead())
                .put("more", topic.more());
        topic.oldest().ifPresent(age -> json.put("oldest", age.toString()));
        return json;
    }

    static ObjectNode of(WaitingMessage message) {
        var json = RecordJson.object().put("id", message.id().toString()).put("topic", message.topic());
        message.orderKey().ifPresent(key -> json.put("orderKey", key));
        json.put("attempts", message.attempts());
        message.reason().ifPresent(reason -> json.put("reason", reason));
        var times = message.times();
        json.put("bytes", message.bytes())
                .put("staged", times.staged().toString())
                .put("due", times.due().toString());
        times.takenUntil().ifPresent(until -> json.put("takenUntil", until.toString()));
        return json.put("seen", times.seen().toString());
    }

    static ObjectNode of(DeadLetterView message) {
        return RecordJson.object()
                .put("id", message.id().toString())
                .put("topic", message.topic())
                .put("cause", message.cause().name())
                .put("reason", message.reason())
                .put("attempts", message.attempts())
                .put("bytes", message.bytes())
                .put("staged", message.staged().toString())
                .put("since", message.since().toString());
    }
}
