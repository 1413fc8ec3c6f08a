package dev.refrain.store.jdbc.internal.browse;

import java.util.List;
import java.util.Optional;

/**
 * One row that a walk of bounded length came by.
 *
 * @param cut whether the walk ended by its length
 */
record ScannedRow<T>(T row, boolean wanted, boolean cut) {

    /**
     * What is shown of a walk.
     *
     * @param last behind which to go on; empty if the end was reached
     */
    record ScanResult<T>(List<T> rows, Optional<T> last) {}

    /** @param steps what is wanted, at most one more than fits, and the last that was walked over if it came so far */
    static <T> ScanResult<T> toResult(List<ScannedRow<T>> steps, int limit) {
        var wanted =
                steps.stream().filter(ScannedRow::wanted).map(ScannedRow::row).toList();
        if (wanted.size() > limit) {
            var shown = wanted.subList(0, limit);
            return new ScanResult<>(shown, Optional.of(shown.getLast()));
        }
        boolean cut = !steps.isEmpty() && steps.getLast().cut();
        return new ScanResult<>(wanted, cut ? Optional.of(steps.getLast().row()) : Optional.empty());
    }
}
