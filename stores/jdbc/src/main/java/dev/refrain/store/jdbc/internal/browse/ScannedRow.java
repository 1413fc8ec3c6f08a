package dev.refrain.store.jdbc.internal.browse;

import java.util.List;
import java.util.Optional;

/**
 * Row found by a bounded scan.
 *
 * @param cut whether the scan ended at its bound
 */
record ScannedRow<T>(T row, boolean wanted, boolean cut) {

    /**
     * Page of a scan.
     *
     * @param last row after which the next page begins; empty at the end
     */
    record ScanResult<T>(List<T> rows, Optional<T> last) {}

    /**
     * Builds the page.
     *
     * @param steps matching rows, at most one more than fits, and the last scanned row if the scan ended there
     */
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
