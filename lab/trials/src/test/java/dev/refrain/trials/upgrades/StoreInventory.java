package dev.refrain.trials.upgrades;

import static java.util.stream.Collectors.joining;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.store.RecordSearch;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordView;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.outbox.DeadLetterSearch;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.WaitingMessageSearch;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Everything that people can list, a line each: the same for whoever wrote it and for whoever opens it later. Times are left out. */
final class StoreInventory {

    private static final int ALL = 1_000;

    private StoreInventory() {}

    static Map<String, String> of(JdbcStore store) {
        var lines = new TreeMap<String, String>();
        for (var record :
                store.recordBrowser().search(RecordSearch.ofPageSize(ALL)).records()) {
            lines.put("seen.record." + record.claim().id(), line(record));
        }
        int entry = 0;
        for (var audit : store.listAuditTrail(ALL).reversed()) {
            lines.put(
                    "seen.audit." + entry++,
                    String.join(" | ", audit.action(), audit.target(), audit.who(), audit.why()));
        }
        messages(store.outboxBrowser(), lines);
        return lines;
    }

    private static void messages(OutboxBrowser outbox, Map<String, String> lines) {
        for (var message : outbox.searchWaiting(
                        new WaitingMessageSearch(Optional.empty(), false, Optional.empty(), ALL))
                .rows()) {
            lines.put(
                    "seen.message." + message.id(),
                    joined(
                            message.sequence(),
                            message.topic(),
                            message.orderKey(),
                            message.attempts(),
                            message.reason(),
                            message.bytes()));
        }
        for (var message : outbox.searchDeadLetters(
                        new DeadLetterSearch(Optional.empty(), Optional.empty(), Optional.empty(), ALL))
                .rows()) {
            lines.put(
                    "seen.dead." + message.id(),
                    joined(
                            message.topic(),
                            word(message.cause()),
                            message.attempts(),
                            message.reason(),
                            message.bytes()));
        }
    }

    private static String line(RecordView record) {
        var named = record.identity();
        return joined(
                named.map(identity -> identity.scope() + "/" + identity.namespace() + "/" + identity.key()),
                record.claim().fence(),
                word(record.state()),
                word(record.takeOver()),
                record.recipe(),
                record.recoveryPoint().map(StoreInventory::word),
                record.subject(),
                record.sizes().outcome().isPresent() ? "outcome" : "-",
                record.sizes().request().isPresent() ? "request" : "-",
                record.sizes().carried().isPresent() ? "carried" : "-",
                record.attention().map(RecordView.AttentionReason::reason));
    }

    // In words of their own, which stay when a constant is renamed.

    /** As the first version wrote it: with an exclamation mark where the point's call may have been sent. */
    private static String word(RecoveryPoint point) {
        return point.callMayBeSent() ? point.name() + "!" : point.name();
    }

    private static String word(RecordState state) {
        return switch (state) {
            case IN_PROGRESS -> "in progress";
            case COMPLETED -> "completed";
            case RELEASED -> "released";
            case ATTENTION -> "waits for a decision";
        };
    }

    private static String word(LeaseExpiryPolicy takeOver) {
        return switch (takeOver) {
            case RESUME -> "resume";
            case HOLD -> "hold";
        };
    }

    private static String word(MessageSettlement.Cause cause) {
        return switch (cause) {
            case REFUSED -> "refused";
            case EXHAUSTED -> "exhausted";
            case UNKNOWN -> "unknown";
        };
    }

    static String word(LedgerFinding.FindingKind kind) {
        return switch (kind) {
            case ONLY_OURS -> "only ours";
            case ONLY_THEIRS -> "only theirs";
            case AMOUNTS_DIFFER -> "amounts differ";
            case TWICE -> "twice";
            case UNRECORDED -> "unrecorded";
        };
    }

    private static String joined(Object... parts) {
        return Stream.of(parts)
                .map(part -> part instanceof Optional<?> maybe
                        ? maybe.map(Object::toString).orElse("-")
                        : part.toString())
                .collect(joining(" | "));
    }
}
