package dev.refrain.verify;

import java.time.Duration;
import java.util.List;

/**
 * A case and what came of it.
 *
 * @param transcript what was sent and what came back, one line each, without secrets
 * @param requests how many went to the route
 */
public record VerifyCaseResult(
        CaseDescription words, CaseVerdict verdict, List<String> transcript, int requests, Duration took) {

    public VerifyCaseResult {
        transcript = List.copyOf(transcript);
    }
}
