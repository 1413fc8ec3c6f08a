package dev.refrain.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonPointer;

/** Cases about the format of error responses. */
final class VerifyErrorCases {

    private VerifyErrorCases() {}

    static final List<VerifyCase> ALL = List.of(
            VerifyCase.of(
                    new CaseDescription(
                            "error-format",
                            "Errors about keys are problem details (application/problem+json) with type, title and status; never HTML.",
                            SpecReferences.PROBLEMS,
                            "A client cannot distinguish \"use a new key\" from \"retry later\": it gives up on a payment, or "
                                    + "makes a second one."),
                    3,
                    VerifyErrorCases::format),
            VerifyCase.of(
                    new CaseDescription(
                            "error-documented",
                            "Errors about keys link to documentation, as the draft expects.",
                            SpecReferences.ERRORS,
                            "Developers who integrate the API have to guess how to handle the error."),
                    3,
                    VerifyErrorCases::documented));

    /** Sends a request without a key, and a different one under a used key: every API with keys rejects both. */
    private static List<VerifyResponse> refusals(VerifyCaseContext context) {
        var refused = new ArrayList<VerifyResponse>();
        if (!context.subject().expectations().keyOptional()) {
            refused.add(context.send(context.call().withKeys()));
        }
        var call = context.call();
        context.sendFirst(call);
        var other = context.otherBody(call);
        refused.add(context.send(other.isPresent() ? call.withBody(other.get()) : call.withQuery("refrain-verify=1")));
        refused.removeIf(answer -> answer.status() < 400);
        return refused;
    }

    private static CaseVerdict format(VerifyCaseContext context) {
        var refusals = refusals(context);
        if (refusals.isEmpty()) {
            return new CaseVerdict.Skipped("no request was rejected, so there is no error to check");
        }
        boolean problems = context.subject().profile().problems();
        for (var answer : refusals) {
            if (problems) {
                expectProblem(context, answer);
            } else if (answer.type().toLowerCase(Locale.ROOT).contains("html")) {
                throw new ExpectationFailedException(
                        "a machine-readable error", context.formatter().answer(answer));
            }
        }
        return problems || refusals.stream().allMatch(answer -> answer.type().startsWith("application/problem+json"))
                ? CaseVerdict.passed()
                : new CaseVerdict.Advice(
                        "machine-readable, but in a custom format; any client understands RFC 9457 problem details");
    }

    private static void expectProblem(VerifyCaseContext context, VerifyResponse answer) {
        if (!answer.type().toLowerCase(Locale.ROOT).startsWith("application/problem+json")) {
            throw new ExpectationFailedException(
                    "Content-Type: application/problem+json",
                    context.formatter().answer(answer));
        }
        for (String member : List.of("type", "title", "status")) {
            if (JsonBodyEditor.at(JsonPointer.compile("/" + member), answer.text())
                    .isEmpty()) {
                throw new ExpectationFailedException(
                        "problem details with type, title and status",
                        "no " + member + ": " + context.formatter().answer(answer));
            }
        }
        boolean agrees = JsonBodyEditor.at(JsonPointer.compile("/status"), answer.text())
                .filter(status -> status.isIntegralNumber() && status.longValue() == answer.status())
                .isPresent();
        if (!agrees) {
            throw new ExpectationFailedException(
                    "problem details with the status of the response",
                    context.formatter().answer(answer));
        }
    }

    private static CaseVerdict documented(VerifyCaseContext context) {
        var refusals = refusals(context);
        if (refusals.isEmpty()) {
            return new CaseVerdict.Skipped("no request was rejected, so there is no error to check");
        }
        boolean linked = refusals.stream()
                .allMatch(answer ->
                        answer.header("Link").isPresent() || answer.text().matches("(?s).*https?://.*"));
        return linked
                ? CaseVerdict.passed()
                : new CaseVerdict.Advice("errors contain neither a Link header nor a URL of documentation");
    }
}
