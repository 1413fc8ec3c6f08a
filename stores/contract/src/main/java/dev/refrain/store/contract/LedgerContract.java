package dev.refrain.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.RecordId;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.AuditTrailReader;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.ledger.ExpectedLedgerEntry;
import dev.refrain.store.ledger.LedgerCheckRequest;
import dev.refrain.store.ledger.LedgerCheckResult;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.ledger.LedgerFinding.FindingKind;
import dev.refrain.store.ledger.ReportedLedgerEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Suite of the ability {@link dev.refrain.store.ledger.ReconciliationStore}: compares sent calls with the entries of a ledger key by key,
 * and reports each difference once.
 *
 * @param <C> the caller's access to the database in its transaction
 */
public interface LedgerContract<C> extends TransactionalSuite<C> {

    String BANK = "bank";
    Duration SETTLING = Duration.ofMinutes(10);

    private static ExpectedLedgerEntry ours(String key, long amount) {
        return new ExpectedLedgerEntry(key, null, null, amount);
    }

    private static ReportedLedgerEntry theirs(String key, long amount) {
        return new ReportedLedgerEntry("entry of " + key, key, amount);
    }

    private void announceAndConfirm(String key, long amount) throws Exception {
        database().inTransaction(connection -> {
            ledger().announce(connection, BANK, ours(key, amount));
            ledger().confirm(connection, BANK, key);
        });
    }

    private void announce(String key, long amount) throws Exception {
        database().inTransaction(connection -> ledger().announce(connection, BANK, ours(key, amount)));
    }

    private LedgerCheckResult check() {
        return ledger().check(new LedgerCheckRequest(BANK, SETTLING, Duration.ZERO, "", 100));
    }

    private List<LedgerFinding> findings() {
        return ledger().findings(BANK, null, 100);
    }

    @Test
    default void erasureTakesThePersonFromEntriesOnWhichBothSidesAgree() throws Exception {
        var record = new RecordId(new UUID(7, 7));
        database().inTransaction(connection -> {
            for (String key : List.of("agreed", "missing")) {
                ledger().announce(
                                connection,
                                BANK,
                                new ExpectedLedgerEntry(
                                        key,
                                        Optional.of(record),
                                        Optional.of("charge"),
                                        5,
                                        Optional.of("acme"),
                                        Optional.of("eve")));
                ledger().confirm(connection, BANK, key);
            }
        });
        ledger().addReported(BANK, List.of(theirs("agreed", 5)));
        var order = new ErasureRequest(new ErasureRequest.OfSubject("acme", "eve"), "ann", "asked to", 10);

        assertThat(client().ability(RecordEraser.class).erase(order).ledgerEntries())
                .isEqualTo(new ErasureResult.RelatedRows(1, 1));

        // What was erased still agrees; what is missing is still found, with its record.
        client().advanceTime(SETTLING.plusSeconds(1));
        ledger().addReported(BANK, List.of(theirs("agreed", 5)));
        check();
        assertThat(findings()).singleElement().satisfies(finding -> {
            assertThat(finding.key()).isEqualTo("missing");
            assertThat(finding.recordId()).contains(record);
        });
        ledger().addReported(BANK, List.of(theirs("missing", 5)));
        check();
        assertThat(client().ability(RecordEraser.class).erase(order).ledgerEntries())
                .isEqualTo(new ErasureResult.RelatedRows(1, 0));
    }

    @Test
    default void agreeingEntryIsNoFinding() throws Exception {
        announceAndConfirm("key-1", 100);
        ledger().addReported(BANK, List.of(theirs("key-1", 100)));
        client().advanceTime(SETTLING.multipliedBy(2));

        assertThat(check().found()).isEmpty();
        assertThat(findings()).isEmpty();
    }

    @Test
    default void nothingIsExpectedOfATransactionThatWasRolledBackOrOfWhatWasWithdrawn() throws Exception {
        assertThatThrownBy(() -> database().inTransaction(connection -> {
                    ledger().announce(connection, BANK, ours("rolled back", 100));
                    throw new IllegalStateException("rolled back");
                }))
                .isInstanceOf(IllegalStateException.class);
        announce("withdrawn", 100);
        database().inTransaction(connection -> ledger().withdraw(connection, BANK, "withdrawn"));
        client().advanceTime(SETTLING.multipliedBy(2));

        assertThat(check().found()).isEmpty();
    }

    @Test
    default void entryThatTheirLedgerLacksIsFoundOnceOldEnoughAndClosedWhenItTurnsUp() throws Exception {
        var flow = new RecordId(UUID.randomUUID());
        database().inTransaction(connection -> {
            ledger().announce(connection, BANK, new ExpectedLedgerEntry("key-1", flow, "charge", 100));
            ledger().confirm(connection, BANK, "key-1");
        });
        assertThat(check().found()).as("it may still be under way").isEmpty();
        client().advanceTime(SETTLING.multipliedBy(2));

        assertThat(check().found()).containsExactly(FindingKind.ONLY_OURS);
        assertThat(check().found()).as("found once").isEmpty();
        assertThat(findings()).singleElement().satisfies(finding -> {
            assertThat(finding.key()).isEqualTo("key-1");
            assertThat(finding.recordId()).contains(flow);
            assertThat(finding.point()).contains("charge");
            assertThat(finding.ours()).hasValue(100);
            assertThat(finding.theirs()).isEmpty();
            assertThat(finding.confirmed()).isTrue();
        });

        ledger().addReported(BANK, List.of(theirs("key-1", 100)));
        assertThat(check().closed()).isEqualTo(1);
        assertThat(findings()).isEmpty();
    }

    @Test
    default void unknownDifferentDoubledOrUnlearnedEntryIsFound() throws Exception {
        announceAndConfirm("amount", 100);
        announceAndConfirm("twice", 100);
        announce("unrecorded", 100);
        ledger().addReported(
                        BANK,
                        List.of(
                                theirs("amount", 99),
                                theirs("theirs", 5),
                                theirs("twice", 100),
                                theirs("unrecorded", 100)));
        ledger().addReported(BANK, List.of(new ReportedLedgerEntry("another entry", "twice", 100)));
        client().advanceTime(SETTLING.multipliedBy(2));

        assertThat(check().found())
                .containsExactlyInAnyOrder(
                        FindingKind.AMOUNTS_DIFFER, FindingKind.ONLY_THEIRS, FindingKind.TWICE, FindingKind.UNRECORDED);
    }

    @Test
    default void sameEntryReportedAgainIsNotTwice() throws Exception {
        announceAndConfirm("key-1", 100);
        ledger().addReported(BANK, List.of(theirs("key-1", 100)));
        ledger().addReported(BANK, List.of(theirs("key-1", 100)));
        client().advanceTime(SETTLING.multipliedBy(2));

        assertThat(check().found()).isEmpty();
    }

    @Test
    default void ledgersDoNotSeeEachOther() throws Exception {
        announceAndConfirm("key-1", 100);
        ledger().addReported("another bank", List.of(theirs("key-1", 100)));
        client().advanceTime(SETTLING.multipliedBy(2));

        assertThat(check().found()).containsExactly(FindingKind.ONLY_OURS);
        assertThat(ledger().findings("another bank", null, 10)).isEmpty();
    }

    @Test
    default void entriesAreCheckedInTheOrderOfTheirKeysPageByPage() throws Exception {
        var entries = new ArrayList<ExpectedLedgerEntry>();
        for (int i = 0; i < 7; i++) {
            entries.add(ours("key-" + i, 100));
        }
        ledger().addExpected(BANK, entries);
        client().advanceTime(SETTLING.multipliedBy(2));

        int found = 0;
        String after = "";
        LedgerCheckResult page;
        do {
            page = ledger().check(new LedgerCheckRequest(BANK, SETTLING, Duration.ZERO, after, 3));
            assertThat(page.found()).hasSizeLessThanOrEqualTo(3);
            found += page.found().size();
            after = page.last().orElse(after);
        } while (page.more());

        assertThat(found).isEqualTo(7);
        var first = ledger().findings(BANK, null, 3);
        assertThat(ledger().findings(BANK, first.getLast(), 100)).hasSize(4);
    }

    @Test
    default void dismissedFindingStaysAwayUntilItIsAnotherAndThatIsAudited() throws Exception {
        announceAndConfirm("key-1", 100);
        client().advanceTime(SETTLING.multipliedBy(2));
        check();
        var finding = findings().getFirst();

        assertThat(ledger().dismiss(finding, "ann", "paid in cash")).isTrue();
        assertThat(ledger().dismiss(finding, "bob", "me too")).isFalse();
        assertThat(check().found()).isEmpty();
        assertThat(findings()).isEmpty();
        client().whereAble(
                        AuditTrailReader.class,
                        trail -> assertThat(trail.listAuditTrail(10))
                                .extracting(AuditEntry::why)
                                .containsExactly("paid in cash"));

        ledger().addReported(BANK, List.of(theirs("key-1", 99)));
        assertThat(check().found()).containsExactly(FindingKind.AMOUNTS_DIFFER);
        assertThat(findings()).hasSize(1);
    }

    @Test
    default void passBeginsWhereTheLastOneThatWasReadToItsEndBegan() {
        var reach = Duration.ofDays(30);
        var first = ledger().beginPass(BANK, reach, Duration.ZERO);
        assertThat(Duration.between(first.since(), first.begun())).isEqualTo(reach);

        ledger().completePass(BANK, first.begun());
        var second = ledger().beginPass(BANK, reach, Duration.ofMinutes(5));

        assertThat(second.since()).isEqualTo(first.begun().minus(Duration.ofMinutes(5)));
        assertThat(ledger().beginPass("another bank", reach, Duration.ZERO).since())
                .isBefore(second.since());
    }

    /** A pass that was noted while the clock was ahead would leave out what their ledger shows until then. */
    @Test
    default void passBeginsBeforeTheLastOneIfTheClockWasAheadInThat() {
        var reach = Duration.ofDays(30);
        var first = ledger().beginPass(BANK, reach, Duration.ZERO);
        ledger().completePass(BANK, first.begun());
        client().letClockBeAhead(
                        Duration.ofDays(1),
                        () -> ledger().completePass(
                                        BANK,
                                        ledger().beginPass(BANK, reach, Duration.ZERO)
                                                .begun()));

        var next = ledger().beginPass(BANK, reach, Duration.ZERO);

        assertThat(next.since()).isBeforeOrEqualTo(first.begun());
        ledger().completePass(BANK, next.begun());
        assertThat(ledger().beginPass(BANK, reach, Duration.ZERO).since()).isEqualTo(next.begun());
    }

    /** It would be too young for as long as the clock was ahead. */
    @Test
    default void entryMadeWhileTheClockWasAheadIsFoundOnceItIsOldEnough() {
        client().letClockBeAhead(Duration.ofDays(1), () -> {
            ledger().addReported(BANK, List.of(theirs("strange", 100)));
            client().store().sweep(SETTLING, 10);
        });
        client().store().sweep(SETTLING, 10);
        assertThat(check().found()).isEmpty();
        client().advanceTime(SETTLING.multipliedBy(2));

        assertThat(check().found()).containsExactly(FindingKind.ONLY_THEIRS);
    }

    @Test
    default void longAgreedEntryIsForgottenAndADisputedOneIsKept() throws Exception {
        announceAndConfirm("agreed", 100);
        announceAndConfirm("missing", 100);
        ledger().addReported(BANK, List.of(theirs("agreed", 100)));
        check();
        assertThat(ledger().reap(BANK, SETTLING, 10)).isZero();
        client().advanceTime(SETTLING.multipliedBy(2));

        assertThat(ledger().reap(BANK, SETTLING, 10)).isEqualTo(1);
        assertThat(check().found()).containsExactly(FindingKind.ONLY_OURS);
    }
}
