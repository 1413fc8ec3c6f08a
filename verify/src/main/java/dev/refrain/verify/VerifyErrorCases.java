package dev.refrain.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonPointer;

/** How refusals are written. */
final class VerifyErrorCases {

    private VerifyErrorCases() {}

    static final List<VerifyCase> ALL = List.of(
            VerifyCase.of(
                    new CaseDescription(
                            "error-format",
                            "Refusals of keys are problems (application/problem+json) with type, title and status; never HTML.",
                            SpecReferences.PROBLEMS,
                            "A client cannot tell \"use a new key\" from \"come again\": it gives up on a payment, or makes a second one."),
                    3,
                    VerifyErrorCases::format),
            VerifyCase.of(
                    new CaseDescription(
                            "error-documented",
                            "Refusals of keys link to documentation. The draft asks for it.",
                            SpecReferences.ERRORS,
                            "Whoever integrates the API guesses what to do with a refusal."),
                    3,
                    VerifyErrorCases::documented));

    /** A request without its key, and another one under a used key: what every API that claims keys refuses. */
    private static List<VerifyResponse> refusals(VerifyCaseContext lab) {
        var refused = new ArrayList<VerifyResponse>();
        if (!lab.subject().expectations().keyOptional()) {
            refused.add(lab.send(lab.call().withKeys()));
        }
        var call = lab.call();
        lab.sendFirst(call);
        var other = lab.otherBody(call);
        refused.add(lab.send(other.isPresent() ? call.withBody(other.get()) : call.withQuery("refrain-verify=1")));
        refused.removeIf(answer -> answer.status() < 400);
        return refused;
    }

    private static CaseVerdict format(VerifyCaseContext lab) {
        var refusals = refusals(lab);
        if (refusals.isEmpty()) {
            return new CaseVerdict.Skipped("nothing was refused, so there is no error to look at");
        }
        boolean problems = lab.subject().profile().problems();
        for (var answer : refusals) {
            if (problems) {
                problem(lab, answer);
            } else if (answer.type().toLowerCase(Locale.ROOT).contains("html")) {
                throw new ExpectationFailedException(
                        "an error that programs can read", lab.formatter().answer(answer));
            }
        }
        return problems || refusals.stream().allMatch(answer -> answer.type().startsWith("application/problem+json"))
                ? CaseVerdict.passed()
                : new CaseVerdict.Advice(
                        "readable, in a format of its own; RFC 9457 problems would be understood by any client");
    }

    private static void problem(VerifyCaseContext lab, VerifyResponse answer) {
        if (!answer.type().toLowerCase(Locale.ROOT).startsWith("application/problem+json")) {
            throw new ExpectationFailedException(
                    "Content-Type: application/problem+json", lab.formatter().answer(answer));
        }
        for (String member : List.of("type", "title", "status")) {
            if (JsonBodyEditor.at(JsonPointer.compile("/" + member), answer.text())
                    .isEmpty()) {
                throw new ExpectationFailedException(
                        "a problem with type, title and status",
                        "no " + member + ": " + lab.formatter().answer(answer));
            }
        }
        boolean agrees = JsonBodyEditor.at(JsonPointer.compile("/status"), answer.text())
                .filter(status -> status.isIntegralNumber() && status.longValue() == answer.status())
                .isPresent();
        if (!agrees) {
            throw new ExpectationFailedException(
                    "a problem with the status of the answer", lab.formatter().answer(answer));
        }
    }

    private static CaseVerdict documented(VerifyCaseContext lab) {
        var refusals = refusals(lab);
        if (refusals.isEmpty()) {
            return new CaseVerdict.Skipped("nothing was refused, so there is no error to look at");
        }
        boolean linked = refusals.stream()
                .allMatch(answer ->
                        answer.header("Link").isPresent() || answer.text().matches("(?s).*https?://.*"));
        return linked
                ? CaseVerdict.passed()
                : new CaseVerdict.Advice("refusals have no Link and no address of documentation in them");
    }
}
