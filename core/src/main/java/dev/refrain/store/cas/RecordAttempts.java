package dev.refrain.store.cas;

import dev.refrain.store.ClaimAttempt;
import dev.refrain.store.ClaimOrigin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Attempts of one record that were written down: those after the first, and the first once it was given back or another one followed it.
 * Not thread-safe.
 */
final class RecordAttempts {

    private static final long FIRST = 1;

    private final List<ClaimAttempt> written = new ArrayList<>();

    RecordAttempts(List<ClaimAttempt> known) {
        written.addAll(known);
    }

    List<ClaimAttempt> written() {
        return List.copyOf(written);
    }

    /** Returns how the last attempt ended of which that is known. */
    Optional<String> lastEnd() {
        return written.stream()
                .filter(attempt -> attempt.endReason().isPresent())
                .reduce((earlier, later) -> later)
                .flatMap(ClaimAttempt::endReason);
    }

    void begin(long fence, ClaimOrigin origin, Instant now) {
        written.add(new ClaimAttempt(
                fence,
                Optional.of(origin.instance()).filter(name -> !name.isEmpty()),
                origin.traceId(),
                Optional.of(now),
                Optional.empty(),
                Optional.empty()));
        written.removeIf(attempt -> attempt.fence() != FIRST && attempt.fence() <= fence - ClaimAttempt.KEPT);
    }

    /** Writes down how the last attempt ended, unless that is known. */
    void end(ClaimAttempt ended) {
        boolean known = written.stream()
                .anyMatch(attempt ->
                        attempt.fence() == ended.fence() && attempt.endReason().isPresent());
        if (!known) {
            written.removeIf(attempt -> attempt.fence() == ended.fence());
            written.add(ended);
        }
    }

    /** Forgets what leads to a person. */
    void erase() {
        written.replaceAll(attempt -> new ClaimAttempt(
                attempt.fence(),
                attempt.instance(),
                Optional.empty(),
                attempt.began(),
                attempt.ended(),
                attempt.endReason().map(reason -> reason.replaceFirst(":.*", ""))));
    }
}
