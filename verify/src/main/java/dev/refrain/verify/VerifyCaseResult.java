package dev.refrain.verify;

import java.time.Duration;
import java.util.List;

/**
 * Result of one case. Immutable.
 *
 * @param transcript what was sent and received, one line each, without secrets
 * @param requests the number of requests sent to the route
 */
public record VerifyCaseResult(
        CaseDescription description, CaseVerdict verdict, List<String> transcript, int requests, Duration took) {

    public VerifyCaseResult {
        transcript = List.copyOf(transcript);
    }
}
