package dev.refrain.trials.kills;

import dev.refrain.trials.kills.JournalEntry.Kind;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

/** Activity that a trial requires; on a busy machine the kills go on until it is reached. */
final class RequiredActivity {

    static final int KILLS = 15;

    private static final Map<Kind, Integer> LEAST =
            Map.of(Kind.RAN, 80, Kind.REPLAYED, 80, Kind.IN_PROGRESS, 5, Kind.MISMATCH, 2);

    private RequiredActivity() {}

    static boolean of(Map<Kind, Integer> seen) {
        return LEAST.entrySet().stream().allMatch(least -> seen.getOrDefault(least.getKey(), 0) >= least.getValue());
    }

    static Map<Kind, Integer> count(Stream<JournalEntry> entries) {
        var seen = new EnumMap<Kind, Integer>(Kind.class);
        entries.forEach(entry -> seen.merge(entry.kind(), 1, Integer::sum));
        return seen;
    }
}
