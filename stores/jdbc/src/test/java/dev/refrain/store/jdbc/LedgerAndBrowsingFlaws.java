package dev.refrain.store.jdbc;

import dev.refrain.store.RecordBrowser;
import dev.refrain.store.RecordSearch;
import dev.refrain.store.ledger.LedgerCheckRequest;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.ledger.LedgerReadPass;
import dev.refrain.store.ledger.ReconciliationStore;
import dev.refrain.store.ledger.ReportedLedgerEntry;
import java.time.Duration;
import java.util.List;

/** Wrong about ledgers, and about what people see of records. */
@SuppressWarnings("unchecked")
final class LedgerAndBrowsingFlaws {

    private LedgerAndBrowsingFlaws() {}

    static final List<AbilityFlaw> ALL = List.of(
            AbilityFlaw.of(
                    "misses what may still be under way",
                    ReconciliationStore.class,
                    "check",
                    (sound, arguments) -> {
                        var order = (LedgerCheckRequest) arguments[0];
                        return sound.check(new LedgerCheckRequest(
                                order.ledger(), Duration.ofDays(-1), order.sinceBegun(), order.after(), order.limit()));
                    },
                    "entryThatTheirLedgerLacksIsFoundOnceOldEnoughAndClosedWhenItTurnsUp"),
            AbilityFlaw.of(
                    "mixes up ledgers",
                    ReconciliationStore.class,
                    "addReported",
                    (sound, arguments) -> {
                        sound.addReported("bank", (List<ReportedLedgerEntry>) arguments[1]);
                        return null;
                    },
                    "ledgersDoNotSeeEachOther"),
            AbilityFlaw.of(
                    "believes a pass of a clock that was ahead",
                    ReconciliationStore.class,
                    "beginPass",
                    (sound, arguments) -> {
                        var pass = sound.beginPass(
                                (String) arguments[0], (Duration) arguments[1], (Duration) arguments[2]);
                        return new LedgerReadPass(pass.begun(), pass.begun());
                    },
                    "passBeginsBeforeTheLastOneIfTheClockWasAheadInThat"),
            AbilityFlaw.of(
                    "dismisses what is gone",
                    ReconciliationStore.class,
                    "dismiss",
                    (sound, arguments) -> {
                        sound.dismiss((LedgerFinding) arguments[0], (String) arguments[1], (String) arguments[2]);
                        return true;
                    },
                    "dismissedFindingStaysAwayUntilItIsAnotherAndThatIsAudited"),
            AbilityFlaw.of(
                    "reveals without an entry in the trail",
                    RecordBrowser.class,
                    "auditReveal",
                    (sound, arguments) -> null,
                    "recordInAttentionSaysWhyAndItsTrailSaysWhoDecided"),
            AbilityFlaw.of(
                    "shows records of other scopes",
                    RecordBrowser.class,
                    "search",
                    (sound, arguments) -> {
                        var search = (RecordSearch) arguments[0];
                        return sound.search(search.after()
                                .map(RecordSearch.ofPageSize(search.limit())::after)
                                .orElse(RecordSearch.ofPageSize(search.limit())));
                    },
                    "pagesOfASearchHoldEachRecordOnceAndTheNewestFirst"));
}
