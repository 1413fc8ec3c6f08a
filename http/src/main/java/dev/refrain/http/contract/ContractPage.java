package dev.refrain.http.contract;

import dev.refrain.api.DurationText;
import dev.refrain.http.KeyPolicy;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.KeySource;
import dev.refrain.http.Route;
import dev.refrain.http.edge.ProblemType;
import java.util.Collection;
import java.util.stream.Collectors;

/** Renders the published contract as an HTML page without scripts or styles. */
final class ContractPage {

    private ContractPage() {}

    static String of(PublishedRouteContract contract, Collection<? extends ProblemType> problems, String json) {
        var page = new StringBuilder(4096);
        page.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
                .append("<title>Idempotency keys of this API</title></head><body><main>\n")
                .append("<h1>Idempotency keys of this API</h1>\n")
                .append("<p>Send a new key with each new intent and the same key with its retries. A retry")
                .append(" of a completed request gets the same response. Also available as <a href=\"")
                .append(escape(json))
                .append("\">JSON</a>.</p>\n<h2>Routes</h2>\n<table border=\"1\" cellpadding=\"6\">")
                .append("<tr><th>Route</th><th>Key</th><th>Sent as</th><th>While it runs</th><th>Stored responses</th>")
                .append("<th>Kept for</th><th>Mode</th><th>Sizes</th></tr>\n");
        contract.routes().forEach(route -> route(page, route, contract));
        page.append("</table>\n<h2>Refusals</h2>\n<dl>\n");
        problems.forEach(problem -> problem(page, problem));
        return page.append("</dl>\n</main></body></html>\n").toString();
    }

    private static void route(StringBuilder page, Route route, PublishedRouteContract contract) {
        var policy = route.policy();
        var stored = contract.outcomes(route);
        page.append("<tr>");
        cell(page, PublishedRouteContract.methods(route) + " " + contract.path(route));
        cell(page, key(policy.key()));
        cell(
                page,
                policy.key().sources().stream().map(KeySource::toString).collect(Collectors.joining(", then ")) + ": "
                        + PublishedRouteContract.syntax(policy.key()));
        cell(page, policy.run().inFlight().toString());
        cell(
                page,
                stored.kept() + "; failures: " + stored.failures() + "; different request under the key: "
                        + policy.replay().profile().mismatchStatus());
        // For machines it is an ISO 8601 duration.
        cell(page, policy.replay().retention().duration().map(DurationText::of).orElse("for ever"));
        cell(page, policy.run().mode() + (policy.run().requireCorrectStore() ? "; only on a correct store" : ""));
        cell(
                page,
                "request " + policy.request().maxRequestBytes() + ", stored response "
                        + policy.replay().maxOutcomeBytes());
        page.append("</tr>\n");
    }

    private static String key(KeyPolicy key) {
        return key.requirement() + ", " + key.rules().minBytes() + " to "
                + key.rules().maxBytes() + " bytes"
                + key.rules()
                        .pattern()
                        .map(shape -> ", like " + shape.pattern())
                        .orElse("")
                + (key.requirement() == KeyRequirement.OBSERVE ? "; only observed: a retry runs again" : "");
    }

    private static void problem(StringBuilder page, ProblemType problem) {
        String type = problem.type();
        page.append("<dt id=\"")
                .append(escape(type.substring(type.lastIndexOf(':') + 1)))
                .append("\"><code>")
                .append(escape(type))
                .append("</code></dt><dd>")
                .append(escape(problem.status() + ". " + problem.title()))
                .append(problem.retryable() ? " Send the same request again." : "")
                .append("</dd>\n");
    }

    private static void cell(StringBuilder page, String text) {
        page.append("<td>").append(escape(text)).append("</td>");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
