package dev.refrain.store.jdbc.internal.browse;

import dev.refrain.store.RecordPage.Order;
import dev.refrain.store.RecordView;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * End of a page, from which the next one continues.
 *
 * @param claimed first claim of the last record, in a scan by time
 * @param at its id in a scan by time, its lookup in a scan of a scope
 */
record RecordPageCursor(Order order, Instant claimed, UUID at) {

    static final UUID LEAST = new UUID(0, 0);
    static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private static final Pattern BY_TIME = Pattern.compile("t([0-9]{1,17})\\.([0-9a-f-]{36})");
    private static final Pattern BY_SCOPE = Pattern.compile("s([0-9a-f-]{36})");

    static String text(Order order, RecordView last) {
        return order == Order.NEWEST_FIRST
                ? "t" + ParameterizedScript.micros(last.times().claimed()) + "."
                        + last.claim().id()
                : "s" + last.claim().lookup();
    }

    static RecordPageCursor parse(String text) {
        var time = BY_TIME.matcher(text);
        if (time.matches()) {
            var claimed = Instant.EPOCH.plus(Long.parseLong(time.group(1)), ChronoUnit.MICROS);
            return new RecordPageCursor(Order.NEWEST_FIRST, claimed, uuid(time.group(2)));
        }
        var scope = BY_SCOPE.matcher(text);
        if (scope.matches()) {
            return new RecordPageCursor(Order.AS_STORED, Instant.EPOCH, uuid(scope.group(1)));
        }
        throw invalidCursor();
    }

    /** Returns the next lookup after it. */
    UUID nextLookup() {
        long low = at.getLeastSignificantBits() + 1;
        return new UUID(at.getMostSignificantBits() + (low == 0 ? 1 : 0), low);
    }

    static IllegalArgumentException invalidCursor() {
        return new IllegalArgumentException(
                "A search goes on from the cursor of its own page before, and this is none.");
    }

    private static UUID uuid(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw invalidCursor();
        }
    }
}
