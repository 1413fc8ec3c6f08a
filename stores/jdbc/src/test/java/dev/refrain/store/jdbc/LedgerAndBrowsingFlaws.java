package dev.refrain.store.jdbc;

import dev.refrain.store.RecordBrowser;
import dev.refrain.store.RecordSearch;
import dev.refrain.store.ledger.LedgerCheckRequest;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.ledger.LedgerStore;
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
                    LedgerStore.class,
                    "check",
                    (sound, arguments) -> {
                        var order = (LedgerCheckRequest) arguments[0];
                        return sound.check(new LedgerCheckRequest(
                                order.ledger(), Duration.ofDays(-1), order.sinceBegun(), order.after(), order.limit()));
                    },
                    "whatTheirLedgerDoesNotShowIsFoundOnceItIsOldEnoughAndClosedWhenItTurnsUp"),
            AbilityFlaw.of(
                    "mixes up ledgers",
                    LedgerStore.class,
                    "addReported",
                    (sound, arguments) -> {
                        sound.addReported("bank", (List<ReportedLedgerEntry>) arguments[1]);
                        return null;
                    },
                    "ledgersDoNotSeeEachOther"),
            AbilityFlaw.of(
                    "dismisses what is gone",
                    LedgerStore.class,
                    "dismiss",
                    (sound, arguments) -> {
                        sound.dismiss((LedgerFinding) arguments[0], (String) arguments[1], (String) arguments[2]);
                        return true;
                    },
                    "aDismissedFindingStaysAwayUntilItIsAnotherAndThatIsAudited"),
            AbilityFlaw.of(
                    "reveals without an entry in the trail",
                    RecordBrowser.class,
                    "auditReveal",
                    (sound, arguments) -> null,
                    "whatWaitsForADecisionSaysWhyAndItsTrailSaysWhoDecided"),
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
                    "thePagesOfASearchHoldEachRecordOnceAndTheNewestFirst"));
}
