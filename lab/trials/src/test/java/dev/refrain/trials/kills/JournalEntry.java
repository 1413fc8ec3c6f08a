package dev.refrain.trials.kills;

import java.util.Optional;

/**
 * One line of a journal.
 *
 * @param at milliseconds since 1970
 * @param detail for answers: the digest of all their bytes, and the effect they tell of
 */
record JournalEntry(long at, Kind kind, TrialMode mode, String key, String detail) {

    enum Kind {
        /** The work ran here, and this was answered. */
        RAN,
        /** It was done before, and this was answered. */
        REPLAYED,
        IN_PROGRESS,
        ATTENTION,
        /** The work was begun. */
        BEGUN,
        /** The work was begun by a claim that is not the record's first. */
        TAKEN_OVER,
        /** The work threw, on purpose. */
        FAILED,
        /** The store could not be asked. */
        STORE_AWAY,
        /** It ran, and nobody knows yet how it ended. */
        UNKNOWN,
        /** Another request under a used key was refused, as it should be. */
        MISMATCH,
        /** The sweeper settled what nobody retried. */
        SWEPT,
        /** Someone looked, and said how it had ended. */
        RESOLVED,
        /** Someone looked, and let it run again. */
        LET_RUN,
        /** The process was asked to end, and did all that it had begun; the last thing it says. */
        CLOSED,
        /** The process itself saw a promise broken. */
        WRONG
    }

    static JournalEntry now(Kind kind, TrialMode mode, String key, String detail) {
        return new JournalEntry(System.currentTimeMillis(), kind, mode, key, detail);
    }

    boolean isAnswer() {
        return kind == Kind.RAN || kind == Kind.REPLAYED;
    }

    /** Of an answer: what it says was done. */
    String effect() {
        return detail.substring(detail.indexOf(' ') + 1);
    }

    String line() {
        return String.join("\t", Long.toString(at), kind.name(), mode.name(), key, detail.replaceAll("[\\t\\n]", " "));
    }

    /** Empty for a line whose writer was killed in the middle of it. */
    static Optional<JournalEntry> parse(String line) {
        String[] part = line.split("\t", -1);
        return part.length < 5
                ? Optional.empty()
                : Optional.of(new JournalEntry(
                        Long.parseLong(part[0]), Kind.valueOf(part[1]), TrialMode.valueOf(part[2]), part[3], part[4]));
    }
}
