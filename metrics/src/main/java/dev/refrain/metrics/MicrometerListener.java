package dev.refrain.metrics;

import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.outbox.TopicBacklog;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/**
 * Listener that records events as Micrometer meters. Tags contain the operation and the result, never a key, scope or
 * record id. Thread-safe.
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><td>refrain.claim</td><td>timer: operation, result (acquired, replay, replay_from_cache, in_progress, mismatch, attention)</td></tr>
 * <tr><td>refrain.run</td><td>timer: operation, end (completed, released)</td></tr>
 * <tr><td>refrain.wait</td><td>timer: operation; refrain.wait.refused counts waits rejected because of too many waiters</td></tr>
 * <tr><td>refrain.trouble</td><td>counter: operation, kind (resumed, fenced_out, overran, outcome_unknown, outcome_not_kept,
 *     failed_open, quota_reached, taken_up, attempt_failed, overdue: every overdue saga at every check)</td></tr>
 * <tr><td>refrain.edge</td><td>counter: operation, kind (minted, refused_…, observed_…)</td></tr>
 * <tr><td>refrain.store.batch</td><td>timer and summary of rows: batcher</td></tr>
 * <tr><td>refrain.store.failed</td><td>counter: call</td></tr>
 * <tr><td>refrain.outbox.delivered</td><td>timer from staging to delivery: topic</td></tr>
 * <tr><td>refrain.outbox.put.off, refrain.outbox.dead, refrain.outbox.late</td><td>counters: topic, why or cause</td></tr>
 * <tr><td>refrain.outbox.waiting, refrain.outbox.dead.letters, refrain.outbox.lag</td><td>gauges, as last measured by a relay:
 *     topic; the lag in seconds</td></tr>
 * <tr><td>refrain.swept, refrain.reaped, refrain.erased, refrain.resolved</td><td>counters of records</td></tr>
 * <tr><td>refrain.ledger.read, refrain.ledger.entries, refrain.ledger.unread</td><td>reconciliation of a ledger: timer, counter of its
 *     entries, counter of failed reads</td></tr>
 * <tr><td>refrain.ledger.found, refrain.ledger.closed</td><td>counters of opened and closed findings: ledger, kind (only_ours,
 *     only_theirs, amounts_differ, twice, unrecorded)</td></tr>
 * <tr><td>refrain.ledger.open, refrain.ledger.failing</td><td>gauges: open findings after the last reconciliation, and consecutive
 *     failed reads: ledger</td></tr>
 * </table>
 */
public final class MicrometerListener implements RefrainListener {

    private final MeterRegistry registry;
    private final Tags common;
    private final Map<String, AtomicReference<TopicBacklog>> backlogs = new ConcurrentHashMap<>();
    private final Map<String, AtomicReference<LedgerStatus>> ledgers = new ConcurrentHashMap<>();

    /** Open findings of a ledger and its consecutive failed reads. */
    private record LedgerStatus(int open, int failing) {}

    public MicrometerListener(MeterRegistry registry) {
        this(registry, Tags.empty());
    }

    private MicrometerListener(MeterRegistry registry, Tags common) {
        this.registry = registry;
        this.common = common;
    }

    /** Returns a listener whose meters have the tag {@code store} too. */
    @Override
    public MicrometerListener forStore(String name) {
        return new MicrometerListener(registry, Tags.of("store", name));
    }

    @Override
    public void onEvent(RefrainEvent event) {
        switch (event) {
            case RefrainEvent.Claimed e ->
                time("refrain.claim", tags(e.operation()).and("result", word(e.result())), e.took());
            case RefrainEvent.Completed e ->
                time("refrain.run", tags(e.operation()).and("end", "completed"), e.ran());
            case RefrainEvent.Released e ->
                time("refrain.run", tags(e.operation()).and("end", "released"), e.ran());
            case RefrainEvent.Waited e -> time("refrain.wait", tags(e.operation()), e.waited());
            case RefrainEvent.StoreOverloaded e -> count("refrain.store.overloaded", tags(e.operation()), 1);
            case RefrainEvent.WaitRefused e -> count("refrain.wait.refused", tags(e.operation()), 1);
            case RefrainEvent.Resumed e -> trouble(e.operation(), "resumed");
            case RefrainEvent.OutcomeNotKept e -> trouble(e.operation(), "outcome_not_kept");
            case RefrainEvent.FencedOut e -> trouble(e.operation(), "fenced_out");
            case RefrainEvent.MaxRunTimeExceeded e -> trouble(e.operation(), "overran");
            case RefrainEvent.OutcomeUnknown e -> trouble(e.operation(), "outcome_unknown");
            case RefrainEvent.FailedOpen e -> trouble(e.operation(), "failed_open");
            case RefrainEvent.QuotaReached e -> trouble(e.operation(), "quota_reached");
            case RefrainEvent.StoreFailed e -> count("refrain.store.failed", common.and("call", e.call()), 1);
            case RefrainEvent.BatchSent e -> batch(e);
            case RefrainEvent.Swept e -> {
                count("refrain.swept", common.and("to", "released"), e.released());
                count("refrain.swept", common.and("to", "attention"), e.toAttention());
            }
            case RefrainEvent.Escalated e -> {
                // Counted by the event before it.
            }
            case RefrainEvent.Reaped e -> count("refrain.reaped", common, e.count());
            case RefrainEvent.Resolved e -> count("refrain.resolved", common.and("verdict", e.verdict()), 1);
            case RefrainEvent.Erased e -> count("refrain.erased", common, e.count());
            case RefrainEvent.ObservedOnly e -> edge(e.operation(), "observed_" + word(e.finding()));
            case RefrainEvent.Refused e ->
                edge(e.operation(), "refused_" + e.problem().replace('-', '_'));
            case RefrainEvent.KeyGenerated e -> edge(e.operation(), "minted");
            case RefrainEvent.OutboxEvent e -> outbox(e);
            case RefrainEvent.FlowEvent e -> flows(e);
        }
    }

    private void flows(RefrainEvent.FlowEvent event) {
        switch (event) {
            case RefrainEvent.CheckpointCommitted e -> {
                // Not counted: the claim and the end of the flow are.
            }
            case RefrainEvent.CompletionAttempted e -> trouble(e.operation(), "taken_up");
            case RefrainEvent.AttemptFailed e -> trouble(e.operation(), "attempt_failed");
            case RefrainEvent.Overdue e -> trouble(e.operation(), "overdue", e.count());
            case RefrainEvent.LedgerRead e -> {
                time("refrain.ledger.read", ledger(e.ledger()), e.took());
                updateLedger(e.ledger(), last -> new LedgerStatus(e.open(), 0));
                registry.counter("refrain.ledger.entries", (Iterable<Tag>) ledger(e.ledger()))
                        .increment((double) e.entries());
            }
            case RefrainEvent.LedgerReadFailed e -> {
                count("refrain.ledger.unread", ledger(e.ledger()), 1);
                updateLedger(e.ledger(), last -> new LedgerStatus(last.open(), last.failing() + 1));
            }
            case RefrainEvent.LedgerFindingsOpened e ->
                count("refrain.ledger.found", ledger(e.ledger()).and("kind", word(e.kind())), e.count());
            case RefrainEvent.LedgerFindingsClosed e -> count("refrain.ledger.closed", ledger(e.ledger()), e.count());
        }
    }

    private void updateLedger(String name, UnaryOperator<LedgerStatus> next) {
        ledgers.computeIfAbsent(name, this::ledgerGauges).updateAndGet(next);
    }

    private AtomicReference<LedgerStatus> ledgerGauges(String name) {
        var last = new AtomicReference<>(new LedgerStatus(0, 0));
        registry.gauge("refrain.ledger.open", ledger(name), last, l -> l.get().open());
        registry.gauge(
                "refrain.ledger.failing", ledger(name), last, l -> l.get().failing());
        return last;
    }

    private void outbox(RefrainEvent.OutboxEvent event) {
        var topic = common.and("topic", event.topic());
        switch (event) {
            case RefrainEvent.Delivered e -> time("refrain.outbox.delivered", topic, e.age());
            case RefrainEvent.DeliveryDelayed e -> count("refrain.outbox.put.off", topic.and("why", word(e.why())), 1);
            case RefrainEvent.DeadLettered e -> count("refrain.outbox.dead", topic.and("cause", word(e.cause())), 1);
            case RefrainEvent.DeliveredLate e -> count("refrain.outbox.late", topic, 1);
            case RefrainEvent.BacklogMeasured e ->
                backlogs.computeIfAbsent(e.topic(), this::gauges).set(e.backlog());
        }
    }

    /** Registers the gauges of a topic, which show its last measured backlog. */
    private AtomicReference<TopicBacklog> gauges(String name) {
        var topic = common.and("topic", name);
        var last = new AtomicReference<>(new TopicBacklog(0, 0, Duration.ZERO, false));
        registry.gauge("refrain.outbox.waiting", topic, last, l -> l.get().waiting());
        registry.gauge("refrain.outbox.dead.letters", topic, last, l -> l.get().dead());
        registry.gauge("refrain.outbox.lag", topic, last, l -> l.get().lag().toMillis() / 1000.0);
        return last;
    }

    private void batch(RefrainEvent.BatchSent sent) {
        var batcher = common.and("batcher", sent.batcher());
        time("refrain.store.batch", batcher, sent.took());
        DistributionSummary.builder("refrain.store.batch.rows")
                .tags(batcher)
                .register(registry)
                .record(sent.size());
    }

    private void trouble(String operation, String kind) {
        trouble(operation, kind, 1);
    }

    private void trouble(String operation, String kind, int times) {
        count("refrain.trouble", tags(operation).and("kind", kind), times);
    }

    private void edge(String operation, String kind) {
        count("refrain.edge", tags(operation).and("kind", kind), 1);
    }

    private void time(String name, Tags tags, Duration took) {
        // Tags as such are taken by newer versions of Micrometer only; Spring Boot 3.5 has an older one.
        registry.timer(name, (Iterable<Tag>) tags).record(took);
    }

    private void count(String name, Tags tags, int by) {
        registry.counter(name, (Iterable<Tag>) tags).increment(by);
    }

    private Tags ledger(String name) {
        return common.and("ledger", name);
    }

    private Tags tags(String operation) {
        return common.and("operation", operation);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
