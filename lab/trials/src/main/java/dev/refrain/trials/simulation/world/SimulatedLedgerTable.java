package dev.refrain.trials.simulation.world;

import dev.refrain.api.RecordId;
import dev.refrain.store.ledger.ExpectedLedgerEntry;
import dev.refrain.store.ledger.LedgerCheckRequest;
import dev.refrain.store.ledger.LedgerCheckResult;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.ledger.LedgerFinding.FindingKind;
import dev.refrain.store.ledger.LedgerReadPass;
import dev.refrain.store.ledger.ReportedLedgerEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Table of one ledger, both sides: the shortest correct implementation of a reconciliation store. */
final class SimulatedLedgerTable {

    private static final class Row {
        private Optional<RecordId> recordId = Optional.empty();
        private Optional<String> point = Optional.empty();
        private @Nullable Long ours;
        private @Nullable Instant oursAt;
        private @Nullable Long theirs;
        private @Nullable Instant theirsAt;
        private @Nullable String theirsId;
        private boolean confirmed;
        private boolean twice;
        private Optional<FindingKind> finding = Optional.empty();
        private Instant foundAt = Instant.MIN;

        private boolean isOpen() {
            return finding.isPresent() || twice || !confirmed || ours == null || !ours.equals(theirs);
        }

        /** Judges the entry. A finding is not closed because a later pass is too young for it. */
        private Optional<FindingKind> judge(Instant now, LedgerCheckRequest order) {
            if (twice) {
                return Optional.of(FindingKind.TWICE);
            }
            if (ours != null && theirs != null && !ours.equals(theirs)) {
                return Optional.of(FindingKind.AMOUNTS_DIFFER);
            }
            if (oursAt == null) {
                return isFound(FindingKind.ONLY_THEIRS) || isBefore(theirsAt, now.minus(order.settling()))
                        ? Optional.of(FindingKind.ONLY_THEIRS)
                        : Optional.empty();
            }
            if (theirs != null && confirmed) {
                return Optional.empty();
            }
            boolean due = isFound(FindingKind.ONLY_OURS)
                    || isFound(FindingKind.UNRECORDED)
                    || isBefore(oursAt, now.minus(order.settling()).minus(order.sinceBegun()));
            return due
                    ? Optional.of(theirs == null ? FindingKind.ONLY_OURS : FindingKind.UNRECORDED)
                    : Optional.empty();
        }

        private boolean isFound(FindingKind kind) {
            return finding.equals(Optional.of(kind));
        }

        private static boolean isBefore(@Nullable Instant moment, Instant limit) {
            return moment != null && moment.isBefore(limit);
        }
    }

    private final SimulatedStoreClock clock;
    private final TreeMap<String, Row> rows = new TreeMap<>();
    private Optional<Instant> readUntil = Optional.empty();

    SimulatedLedgerTable(SimulatedStoreClock clock) {
        this.clock = clock;
    }

    void announce(ExpectedLedgerEntry entry) {
        var row = row(entry.key());
        row.recordId = entry.recordId();
        row.point = entry.point();
        row.ours = entry.amount();
        row.oursAt = row.oursAt == null ? clock.instant() : row.oursAt;
    }

    void confirm(String key) {
        Optional.ofNullable(rows.get(key)).ifPresent(row -> row.confirmed = true);
    }

    void withdraw(String key) {
        var row = rows.get(key);
        if (row != null && row.theirs == null) {
            rows.remove(key);
        } else if (row != null) {
            row.ours = null;
            row.oursAt = null;
            row.confirmed = false;
        }
    }

    void addReported(List<ReportedLedgerEntry> entries) {
        for (var entry : entries) {
            var row = row(entry.key());
            if (row.theirsId == null) {
                row.theirsId = entry.id();
                row.theirsAt = clock.instant();
            }
            if (row.theirsId.equals(entry.id())) {
                row.theirs = entry.amount();
            } else {
                row.twice = true;
            }
        }
    }

    LedgerReadPass beginPass(Duration reach, Duration overlap) {
        var now = clock.instant();
        var missing = rows.values().stream()
                .filter(row -> row.theirs == null && row.oursAt != null)
                .map(row -> row.oursAt)
                .min(Instant::compareTo)
                .orElse(now);
        var last = readUntil.orElse(Instant.EPOCH);
        var since = missing.isBefore(last) ? missing : last;
        var furthest = now.minus(reach);
        return new LedgerReadPass(now, (since.isBefore(furthest) ? furthest : since).minus(overlap));
    }

    void completePass(Instant begun) {
        readUntil = readUntil.filter(last -> last.isAfter(begun)).or(() -> Optional.of(begun));
    }

    LedgerCheckResult check(LedgerCheckRequest order) {
        var now = clock.instant();
        var found = new ArrayList<FindingKind>();
        int closed = 0;
        Optional<String> last = Optional.empty();
        int checked = 0;
        for (var entry : rows.tailMap(order.after(), false).entrySet()) {
            var row = entry.getValue();
            if (!row.isOpen()) {
                continue;
            }
            if (checked++ == order.limit()) {
                return new LedgerCheckResult(List.copyOf(found), closed, last, true);
            }
            last = Optional.of(entry.getKey());
            var kind = row.judge(now, order);
            if (!kind.equals(row.finding)) {
                kind.ifPresent(found::add);
                closed += kind.isEmpty() ? 1 : 0;
                row.finding = kind;
                row.foundAt = now;
            }
        }
        return new LedgerCheckResult(List.copyOf(found), closed, last, false);
    }

    /** Lists all of them: there are few. */
    List<LedgerFinding> findings(String ledger) {
        var found = new ArrayList<LedgerFinding>();
        rows.forEach((key, row) -> row.finding.ifPresent(kind -> found.add(new LedgerFinding(
                ledger,
                key,
                kind,
                row.recordId,
                row.point,
                amount(row.ours),
                amount(row.theirs),
                row.confirmed,
                row.foundAt))));
        return List.copyOf(found);
    }

    private Row row(String key) {
        return rows.computeIfAbsent(key, k -> new Row());
    }

    private static OptionalLong amount(@Nullable Long amount) {
        return amount == null ? OptionalLong.empty() : OptionalLong.of(amount);
    }
}
