package dev.refrain.verify;

import java.util.List;
import java.util.Map;

/** Cases whose failure follows from the failure of a simpler one, so that a report shows the cause and only names the rest. */
final class FailureCauses {

    /** An API that runs a plain repetition again runs every other one too. */
    private static final List<String> NO_REPLAY = List.of("replay-same");

    private static final Map<String, List<String>> CAUSES = Map.ofEntries(
            Map.entry("replay-headers", NO_REPLAY),
            Map.entry("replay-other-headers", NO_REPLAY),
            Map.entry("replay-json-reordered", NO_REPLAY),
            Map.entry("key-quoted-and-bare", NO_REPLAY),
            Map.entry("key-header-name", NO_REPLAY),
            Map.entry("mismatch-body", NO_REPLAY),
            Map.entry("mismatch-query", List.of("replay-same", "mismatch-body")),
            Map.entry("concurrent-one-effect", NO_REPLAY),
            Map.entry("hang-up-while-running", List.of("replay-same", "concurrent-one-effect")),
            Map.entry("hang-up-at-answer", NO_REPLAY),
            Map.entry("hang-up-while-sending", NO_REPLAY),
            Map.entry("kept-failure", NO_REPLAY),
            Map.entry("expiry", NO_REPLAY),
            Map.entry("key-empty", List.of("key-missing")),
            Map.entry("error-documented", List.of("error-format")));

    private FailureCauses() {}

    /** Returns the cases that may explain a failure of this one, the simplest first. */
    static List<String> of(String name) {
        return CAUSES.getOrDefault(name, List.of());
    }
}
