package dev.refrain.verify;

import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Renders the report as JSON. */
final class VerifyJsonReport {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final VerifyReport report;

    VerifyJsonReport(VerifyReport report) {
        this.report = report;
    }

    String text() {
        var subject = report.subject();
        var root = JSON.createObjectNode()
                .put("url", subject.api().base().toString())
                .put("route", subject.api().route().toString())
                .put("profile", subject.profile().toString())
                .put("passed", report.passed())
                .put("advice", report.advice())
                .put("failed", report.failed())
                .put("skipped", report.skipped())
                .put("requests", report.requests())
                .put("millis", report.took().toMillis());
        var cases = root.putArray("cases");
        report.results().forEach(result -> cases.add(json(result)));
        return root.toPrettyString() + "\n";
    }

    private static ObjectNode json(VerifyCaseResult result) {
        var description = result.description();
        var node = JSON.createObjectNode()
                .put("name", description.name())
                .put("result", result.verdict().label().toLowerCase(Locale.ROOT))
                .put("checks", description.requirement())
                .put("reference", description.reference());
        switch (result.verdict()) {
            case CaseVerdict.Failed failed ->
                node.put("expected", failed.expected())
                        .put("found", failed.found())
                        .put("means", failed.means());
            case CaseVerdict.Advice advice -> node.put("note", advice.text());
            case CaseVerdict.Skipped skipped -> node.put("note", skipped.reason());
            case CaseVerdict.Passed passed -> {}
        }
        node.put("requests", result.requests()).put("millis", result.took().toMillis());
        var transcript = node.putArray("transcript");
        result.transcript().forEach(transcript::add);
        return node;
    }
}
