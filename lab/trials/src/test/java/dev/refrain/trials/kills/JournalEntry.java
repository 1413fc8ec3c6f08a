package dev.refrain.trials.kills;

import java.util.Optional;

/**
 * Line of a journal.
 *
 *
 * @param at milliseconds since 1970
 * @param detail for answers: the digest of all their bytes, and the effect they tell of
 */
record JournalEntry(long at, Kind kind, TrialMode mode, String key, String detail) {

    enum Kind {
        /** Answer of work that ran here. */
        RAN,
        /** Replayed answer. */
        REPLAYED,
        IN_PROGRESS,
        ATTENTION,
        /** Start of the work. */
        BEGUN,
        /** Start of the work by a later claim of the record. */
        TAKEN_OVER,
        /** Failure of the work, on purpose. */
        FAILED,
        /** Failure of the store. */
        STORE_AWAY,
        /** Unknown outcome. */
        UNKNOWN,
        /** Refused mismatch. */
        MISMATCH,
        /** Claim that the sweeper settled. */
        SWEPT,
        /** Key that an operator resolved. */
        RESOLVED,
        /** Key that an operator released. */
        LET_RUN,
        /** Graceful end of the process, its last line. */
        CLOSED,
        /** Violation that the process itself noticed. */
        WRONG
    }

    static JournalEntry now(Kind kind, TrialMode mode, String key, String detail) {
        return new JournalEntry(System.currentTimeMillis(), kind, mode, key, detail);
    }

    boolean isAnswer() {
        return kind == Kind.RAN || kind == Kind.REPLAYED;
    }

    /** Returns the effect that an answer names. */
    String effect() {
        return detail.substring(detail.indexOf(' ') + 1);
    }

    String line() {
        return String.join("\t", Long.toString(at), kind.name(), mode.name(), key, detail.replaceAll("[\\t\\n]", " "));
    }

    /** Parses a line; empty for one whose writer was killed in the middle of it. */
    static Optional<JournalEntry> parse(String line) {
        String[] part = line.split("\t", -1);
        return part.length < 5
                ? Optional.empty()
                : Optional.of(new JournalEntry(
                        Long.parseLong(part[0]), Kind.valueOf(part[1]), TrialMode.valueOf(part[2]), part[3], part[4]));
    }
}
