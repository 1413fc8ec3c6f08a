package dev.refrain.trials.kills;

import dev.refrain.trials.kills.JournalEntry.Kind;
import java.util.List;
import java.util.Map;

/**
 * Amount of activity in a trial: one that did nothing proves nothing.
 *
 *
 * @param repeats how often a derived key kept a charge from being made twice
 */
record TrialTally(
        String name,
        int kills,
        int freezes,
        int closings,
        int serverKills,
        int rowLocks,
        int silences,
        Map<Kind, Integer> seen,
        int keys,
        int repeats) {

    static TrialTally of(String name, TrialEvidence evidence, KillTimeline timeline, int repeats) {
        var seen = RequiredActivity.count(
                evidence.answers().values().stream().flatMap(List::stream).map(TrialEvidence.Witnessed::entry));
        return new TrialTally(
                name,
                timeline.kills(),
                timeline.freezes(),
                timeline.closings(),
                timeline.serverKills(),
                timeline.rowLocks(),
                timeline.silences(),
                seen,
                evidence.records().size(),
                repeats);
    }

    int count(Kind kind) {
        return seen.getOrDefault(kind, 0);
    }

    /** Fails if nobody was killed, nobody raced or nothing was taken over. */
    void requireEnough() {
        require(kills >= RequiredActivity.KILLS, RequiredActivity.KILLS + " kills");
        require(RequiredActivity.of(seen), "what " + RequiredActivity.class.getSimpleName() + " asks for");
        require(count(Kind.REPLAYED) >= 2 * keys, "two replays of each key");
        require(count(Kind.TAKEN_OVER) >= 5, "5 takeovers");
        require(repeats >= 1, "1 charge that a derived key kept from being made twice");
        require(count(Kind.ATTENTION) >= 1, "1 key that needed attention");
        require(count(Kind.RESOLVED) + count(Kind.LET_RUN) >= 1, "1 key that somebody settled");
    }

    private void require(boolean enough, String what) {
        if (!enough) {
            throw new AssertionError("Too little happened to prove anything: not even " + what + table());
        }
    }

    /** Returns the numbers as a table for the log. */
    String table() {
        var text = new StringBuilder("\n" + name + "\n");
        row(text, "processes killed", kills);
        row(text, "processes frozen", freezes);
        row(text, "processes closed", closings);
        row(text, "databases killed", serverKills);
        row(text, "rows locked by others", rowLocks);
        row(text, "network fell silent", silences);
        row(text, "keys", keys);
        row(text, "answers fresh", count(Kind.RAN));
        row(text, "answers replayed", count(Kind.REPLAYED));
        row(text, "in progress", count(Kind.IN_PROGRESS));
        row(text, "taken over", count(Kind.TAKEN_OVER));
        row(text, "charges not repeated", repeats);
        row(text, "work failed", count(Kind.FAILED));
        row(text, "attention met", count(Kind.ATTENTION));
        row(text, "swept", count(Kind.SWEPT));
        row(text, "resolved", count(Kind.RESOLVED));
        row(text, "let run again", count(Kind.LET_RUN));
        row(text, "other request refused", count(Kind.MISMATCH));
        row(text, "store away", count(Kind.STORE_AWAY));
        row(text, "outcome unknown", count(Kind.UNKNOWN));
        return text.toString();
    }

    private static void row(StringBuilder text, String what, int count) {
        text.append("  %-22s %7d%n".formatted(what, count));
    }
}
