package dev.refrain.console;

import dev.refrain.store.AnnouncedCall;
import dev.refrain.store.ClaimAttempt;
import dev.refrain.store.RecordExplanation;
import java.util.List;

/** Panel with what a record may have sent to other systems, and with its attempts. */
final class ExplanationPanel {

    private ExplanationPanel() {}

    static SafeHtml of(RecordExplanation explanation) {
        return SafeHtml.concat(
                SafeHtml.element("h2").content("May have been sent"),
                explanation.calls().isEmpty()
                        ? SafeHtml.element("p")
                                .with("class", "small")
                                .content("No call to another system is known for this key.")
                        : HtmlTables.of(
                                List.of("Step", "Derived key", "Announced"),
                                explanation.calls().stream()
                                        .map(ExplanationPanel::row)
                                        .toList()),
                SafeHtml.element("h2").content("Attempts"),
                HtmlTables.of(
                        List.of("Fence", "Instance", "Began", "Ended", "Why it ended", "Trace"),
                        explanation.attempts().stream()
                                .map(ExplanationPanel::row)
                                .toList()));
    }

    /** Formats calls in one cell: step and key to ask the other system for. */
    static SafeHtml brief(List<AnnouncedCall> calls) {
        return SafeHtml.concat(calls.stream()
                .map(call -> SafeHtml.element("div")
                        .content(SafeHtml.text(call.step() + " "), HtmlTables.code(call.derivedKey())))
                .toArray(SafeHtml[]::new));
    }

    private static List<SafeHtml> row(AnnouncedCall call) {
        return List.of(
                SafeHtml.text(call.step()),
                HtmlTables.code(call.derivedKey()),
                call.announcedAt().map(ConsoleTimeFormat::moment).orElse(SafeHtml.text("not recorded")));
    }

    private static List<SafeHtml> row(ClaimAttempt attempt) {
        boolean running = attempt.endReason().isEmpty();
        return List.of(
                SafeHtml.text(Long.toString(attempt.fence())),
                SafeHtml.text(attempt.instance().orElse("not recorded")),
                attempt.began().map(ConsoleTimeFormat::moment).orElse(SafeHtml.text("not recorded")),
                attempt.ended().map(ConsoleTimeFormat::moment).orElse(SafeHtml.text(running ? "" : "not recorded")),
                SafeHtml.text(attempt.endReason().orElse("running")),
                attempt.traceId().map(id -> HtmlTables.code(id.toString())).orElse(SafeHtml.NOTHING));
    }
}
