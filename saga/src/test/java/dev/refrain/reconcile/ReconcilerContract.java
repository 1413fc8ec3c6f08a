package dev.refrain.reconcile;

import static dev.refrain.servers.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.NotSentException;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.Retention;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.FlowRunner;
import dev.refrain.flow.ForeignCall;
import dev.refrain.flow.LedgerEntryMapping;
import dev.refrain.flow.PhaseResult;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.servers.FlowTestDatabase;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.ledger.LedgerFinding.FindingKind;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What we sent and what their ledger shows is compared both ways, on each database. */
abstract class ReconcilerContract {

    private static final ReconcilerSettings AT_ONCE =
            new ReconcilerSettings(Duration.ZERO, Duration.ofMinutes(1), Duration.ofDays(1), Duration.ofDays(7), 3);
    private static final ReconcilerSettings LATER = new ReconcilerSettings(
            Duration.ofHours(1), Duration.ofMinutes(1), Duration.ofDays(1), Duration.ofDays(7), 3);

    @FunctionalInterface
    private interface FaultAction {
        void happen() throws Exception;
    }

    private final FakeBankLedger bank = new FakeBankLedger();
    private final ConcurrentLinkedQueue<RefrainEvent> events = new ConcurrentLinkedQueue<>();
    private FaultAction beforeSend = () -> {};
    private FaultAction afterSend = () -> {};
    private FlowTestDatabase database;
    private JdbcStore store;
    private Refrain refrain;
    private FlowRunner<Connection> flows;
    private Reconciler reconciler;

    abstract FlowTestDatabase database();

    @BeforeEach
    final void open() {
        database = database();
        store = JdbcStore.on(database.source());
        refrain = Refrain.using(store, RefrainSettings.defaults().with(events::add));
        flows = FlowRunner.on(refrain, store.transactions()).withLedgers(store.ledger());
        reconciler = Reconciler.on(refrain, store.ledger());
    }

    @AfterEach
    final void close() {
        refrain.close();
        store.close();
        database.close();
    }

    private Flow<Long, String, Connection> paying(Downstream<ForeignCall<Long>, String> downstream) {
        return Flow.of("pay", Long.class, String.class)
                .phase("started", (tx, at) -> PhaseResult.goTo("charge"))
                .foreignCall(
                        "charge",
                        downstream,
                        LedgerEntryMapping.<Long, String>inLedger("bank", at -> at.request())
                                .exceptWhen("declined"::equals),
                        Duration.ofSeconds(10),
                        call -> {
                            beforeSend.happen();
                            String id = call.request() > 1000 ? "declined" : bank.enter(call.key(), call.request());
                            afterSend.happen();
                            return id;
                        },
                        (tx, at, id) -> PhaseResult.finish(201, id))
                .build();
    }

    private String pay(String key, long amount) throws Exception {
        return pay(paying(Downstream.honoursKeys(Duration.ofHours(1))), key, amount);
    }

    private String pay(Flow<Long, String, Connection> flow, String key, long amount) throws Exception {
        return switch (flows.runForResult(
                flow, FlowRequest.of(ClientKey.scope("").key(key), amount))) {
            case OperationResult.Ran ran -> text(ran.answer());
            case OperationResult.Replayed replayed -> text((Outcome.Answer) replayed.outcome());
            default -> "no answer";
        };
    }

    private static String text(Outcome.Answer answer) {
        return new String(answer.body().bytes(), StandardCharsets.UTF_8);
    }

    private List<LedgerFinding> findings() {
        return reconciler.findings("bank", 100);
    }

    /** What is a moment old is judged; this waits for the moment. */
    private LedgerFinding found(FindingKind kind) {
        await().untilAsserted(() -> {
            reconciler.reconcile("bank", bank, AT_ONCE);
            assertThat(findings()).extracting(LedgerFinding::kind).containsExactly(kind);
        });
        return findings().getFirst();
    }

    private void nothingFound() throws Exception {
        // The stranger comes last: once it is old enough to be found, so is all that was there before.
        bank.enter("stranger", 1);
        await().untilAsserted(() -> {
            reconciler.reconcile("bank", bank, AT_ONCE);
            assertThat(findings()).extracting(LedgerFinding::key).contains("stranger");
        });
        bank.lose("stranger");
        assertThat(findings()).hasSize(1);
        reconciler.discard(findings().getFirst(), "test", "the stranger");
    }

    @Test
    void agreedDeclinedOrUnsentCallIsNoFinding() throws Exception {
        assertThat(pay("a", 700)).isEqualTo("tr_0");
        assertThat(pay("b", 5000)).isEqualTo("declined");
        beforeSend = () -> {
            throw new NotSentException("refused", null);
        };
        assertThatThrownBy(() -> pay("c", 1)).isInstanceOf(NotSentException.class);

        nothingFound();
        assertThat(events)
                .anyMatch(RefrainEvent.LedgerRead.class::isInstance)
                .filteredOn(RefrainEvent.LedgerFindingsOpened.class::isInstance)
                .hasSize(1);
    }

    @Test
    void entryMissingFromTheirLedgerIsFoundOnceOldEnoughAndClosedWhenItTurnsUp() throws Exception {
        pay("a", 700);
        var key = key(bank);
        bank.lose(key);
        reconciler.reconcile("bank", bank, LATER);
        assertThat(findings()).isEmpty();

        var finding = found(FindingKind.ONLY_OURS);
        assertThat(finding.ours()).isEqualTo(OptionalLong.of(700));
        assertThat(finding.confirmed()).isTrue();
        assertThat(finding.point()).contains("charge");
        assertThatThrownBy(() -> reconciler.release(finding, "ann", "not there"))
                .hasMessageContaining("confirmed");

        bank.enter(key, 700, Instant.now().minusSeconds(30));
        assertThat(reconciler.reconcile("bank", bank, AT_ONCE).closedFindings()).isEqualTo(1);
        assertThat(findings()).isEmpty();
        assertThat(events)
                .contains(
                        new RefrainEvent.LedgerFindingsOpened("bank", FindingKind.ONLY_OURS, 1),
                        new RefrainEvent.LedgerFindingsClosed("bank", 1));
    }

    @Test
    void entryOnlyInTheirLedgerIsFound() throws Exception {
        bank.enter("nobody's", 12);
        reconciler.reconcile("bank", bank, LATER);
        assertThat(findings()).isEmpty();

        assertThat(found(FindingKind.ONLY_THEIRS).theirs()).isEqualTo(OptionalLong.of(12));
    }

    @Test
    void declinedCallInTheirLedgerIsFound() throws Exception {
        beforeSend = () -> bank.enter("refrain-of-the-declined", 5000);
        pay("b", 5000);

        found(FindingKind.ONLY_THEIRS);
    }

    @Test
    void otherAmountsAndDoubleEntriesAreFound() throws Exception {
        pay("a", 700);
        var key = key(bank);
        bank.lose(key);
        bank.enter(key, 701);
        assertThat(found(FindingKind.AMOUNTS_DIFFER).theirs()).isEqualTo(OptionalLong.of(701));

        bank.enter(key, 701);
        assertThat(found(FindingKind.TWICE).key()).isEqualTo(key);
    }

    @Test
    void ledgerThatIsAwayHalfWayIsReadAgainFromWhereItWasReadToItsEnd() throws Exception {
        for (int i = 0; i < 7; i++) {
            pay("k" + i, i + 1);
        }
        bank.pagesUntilItIsAway = 1;
        assertThatThrownBy(() -> reconciler.reconcile("bank", bank, AT_ONCE)).hasMessage("503");
        assertThat(findings()).isEmpty();

        bank.pagesUntilItIsAway = Integer.MAX_VALUE;
        nothingFound();
        assertThat(bank.asked.get(1)).isBeforeOrEqualTo(bank.asked.get(0).plusSeconds(60));
        reconciler.reconcile("bank", bank, AT_ONCE);
        assertThat(bank.asked.getLast()).isAfter(bank.asked.get(0).plus(Duration.ofHours(12)));
    }

    @Test
    void workerReportsALedgerThatIsAwayAndGoesOn() {
        bank.enter("nobody's", 12);
        bank.pagesUntilItIsAway = 0;
        reconciler.schedule(Duration.ofMillis(20), "bank", bank, AT_ONCE);
        await().until(() -> events.stream().anyMatch(RefrainEvent.LedgerReadFailed.class::isInstance));

        bank.pagesUntilItIsAway = Integer.MAX_VALUE;
        await().untilAsserted(() ->
                assertThat(events).contains(new RefrainEvent.LedgerFindingsOpened("bank", FindingKind.ONLY_THEIRS, 1)));
    }

    @Test
    void manyEntriesOfOneMomentAreReadPageByPageAndTwoReconcilersReportEachOnce() throws Exception {
        var moment = Instant.now();
        var own = new FakeBankLedger();
        for (int i = 0; i < 1000; i++) {
            bank.enter("key-" + i, i, moment);
            own.enter("key-" + (i + 10), i + 10, moment);
        }
        var how = new ReconcilerSettings(
                Duration.ofMillis(1), Duration.ofMinutes(1), Duration.ofDays(1), Duration.ofDays(7), 100);
        var together = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, 2)
                    .mapToObj(i -> threads.submit(() -> {
                        together.await();
                        for (int round = 0; round < 3; round++) {
                            reconciler.reconcile("bank", own, bank, how);
                        }
                        return true;
                    }))
                    .toList();
            together.countDown();
            for (var one : running) {
                one.get();
            }
        }

        assertThat(bank.largestPage).isEqualTo(100);
        assertThat(findings()).hasSize(20);
        assertThat(reported(FindingKind.ONLY_OURS)).isEqualTo(10);
        assertThat(reported(FindingKind.ONLY_THEIRS)).isEqualTo(10);
    }

    private int reported(FindingKind kind) {
        return events.stream()
                .filter(event -> event instanceof RefrainEvent.LedgerFindingsOpened found && found.kind() == kind)
                .mapToInt(event -> ((RefrainEvent.LedgerFindingsOpened) event).count())
                .sum();
    }

    @Test
    void blindCallThatHappenedIsFoundAndResolvedFromTheFinding() throws Exception {
        var blind = paying(Downstream.notRetryable());
        afterSend = () -> {
            throw new IllegalStateException("line is dead");
        };
        assertThat(pay(blind, "k", 700)).isEqualTo("no answer");

        var finding = found(FindingKind.UNRECORDED);
        var waiting = reconciler.attentionItem(finding).orElseThrow();
        assertThatThrownBy(() -> reconciler.release(finding, "ann", "?")).isInstanceOf(IllegalArgumentException.class);
        assertThat(reconciler.resolve(
                        finding,
                        Outcome.Answer.of(201, "tr_0".getBytes(StandardCharsets.UTF_8)),
                        Retention.FOREVER,
                        "ann",
                        "in the ledger"))
                .isTrue();

        assertThat(refrain.admin().find(waiting.identity()).orElseThrow().remainingLife())
                .as("for ever")
                .isEmpty();
        assertThat(pay(blind, "k", 700)).isEqualTo("tr_0");
        assertThat(findings()).isEmpty();
        assertThat(reconciler.discard(finding, "ann", "again")).isFalse();
        nothingFound();
        assertThat(refrain.admin().listAuditTrail(10))
                .extracting(AuditEntry::who)
                .containsExactly("test", "ann", "ann");
    }

    @Test
    void blindCallThatDidNotHappenIsFoundAndSentAgainFromTheFinding() throws Exception {
        var blind = paying(Downstream.notRetryable());
        beforeSend = () -> {
            throw new IllegalStateException("line is dead");
        };
        assertThat(pay(blind, "k", 700)).isEqualTo("no answer");

        var finding = found(FindingKind.ONLY_OURS);
        assertThat(finding.confirmed()).isFalse();
        assertThatThrownBy(() -> reconciler.resolve(finding, Outcome.Answer.of(201, new byte[0]), "ann", "?"))
                .hasMessageContaining("does not show it");
        assertThat(reconciler.release(finding, "ann", "the bank has no such charge"))
                .isTrue();
        beforeSend = () -> {};

        assertThat(pay(blind, "k", 700)).isEqualTo("tr_0");
        nothingFound();
    }

    @Test
    void dismissedFindingStaysAwayUntilItIsAnother() throws Exception {
        bank.enter("nobody's", 12);
        var finding = found(FindingKind.ONLY_THEIRS);
        assertThat(reconciler.discard(finding, "ann", "the owner's own")).isTrue();
        nothingFound();

        bank.enter("nobody's", 12);
        found(FindingKind.TWICE);
    }

    @Test
    void flowThatIsToBeSeenNeedsToKnowWhereThatIsKept() {
        var unseeing = FlowRunner.on(refrain, store.transactions());

        assertThatThrownBy(() -> unseeing.run(
                        paying(Downstream.honoursKeys(Duration.ofHours(1))),
                        FlowRequest.of(ClientKey.scope("").key("k"), 1L)))
                .hasMessageContaining("withLedgers(store.ledger())");
    }

    @Test
    void longAgreedEntryIsForgotten() throws Exception {
        pay("a", 700);
        var key = key(bank);
        bank.enter("nobody's", 12);
        var ledgers = store.ledger();
        reconciler.reconcile("bank", bank, LATER);

        assertThat(ledgers.reap("bank", Duration.ofHours(1), 10)).isZero();
        await().untilAsserted(() ->
                assertThat(ledgers.reap("bank", Duration.ofMillis(1), 10)).isEqualTo(1));
        bank.lose(key);
        found(FindingKind.ONLY_THEIRS);
    }

    private static String key(FakeBankLedger bank) {
        return bank.readPage(Instant.EPOCH, null, 10).entries().getFirst().key();
    }
}
