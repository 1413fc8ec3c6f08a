package dev.refrain.http.contract;

import tools.jackson.databind.JsonNode;

/** The contract as a page that needs neither script nor style. */
final class ContractPage {

    private ContractPage() {}

    static String of(JsonNode contract, String json) {
        var page = new StringBuilder(4096);
        page.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
                .append("<title>Idempotency keys of this API</title></head><body><main>\n")
                .append("<h1>Idempotency keys of this API</h1>\n")
                .append(
                        "<p>Send a new key with each new intent and the same key with its retries. A request that was done")
                .append(" is answered as it was the first time. The same in <a href=\"")
                .append(escape(json))
                .append("\">JSON</a>.</p>\n<h2>Routes</h2>\n<table border=\"1\" cellpadding=\"6\">")
                .append("<tr><th>Route</th><th>Key</th><th>Sent as</th><th>While it runs</th><th>Kept answers</th>")
                .append("<th>Kept for</th><th>Mode</th><th>Sizes</th></tr>\n");
        contract.path("routes").forEach(route -> route(page, route));
        page.append("</table>\n<h2>Refusals</h2>\n<dl>\n");
        contract.path("problems").forEach(problem -> problem(page, problem));
        return page.append("</dl>\n</main></body></html>\n").toString();
    }

    private static void route(StringBuilder page, JsonNode route) {
        var key = route.path("key");
        page.append("<tr>");
        cell(page, join(route.path("methods"), ", ") + " " + text(route, "path"));
        cell(
                page,
                text(key, "required") + ", " + text(key, "minBytes") + " to " + text(key, "maxBytes") + " bytes"
                        + (key.has("pattern") ? ", like " + text(key, "pattern") : "")
                        + (text(key, "required").equals("observe") ? "; only observed, a retry runs again" : ""));
        cell(page, join(key.path("sources"), ", then ") + ": " + text(key, "syntax"));
        cell(page, text(route, "inFlight"));
        cell(page, text(route, "kept") + "; another request under the key: " + text(route, "mismatch"));
        cell(page, text(route, "retention"));
        cell(page, text(route, "mode"));
        cell(page, "request " + text(route, "maxRequestBytes") + ", kept answer " + text(route, "maxKeptAnswerBytes"));
        page.append("</tr>\n");
    }

    private static void problem(StringBuilder page, JsonNode problem) {
        String type = text(problem, "type");
        page.append("<dt id=\"")
                .append(escape(type.substring(type.lastIndexOf(':') + 1)))
                .append("\"><code>")
                .append(escape(type))
                .append("</code></dt><dd>")
                .append(escape(text(problem, "status") + ". " + text(problem, "title")))
                .append(problem.path("retryable").booleanValue() ? " Send the same request again." : "")
                .append("</dd>\n");
    }

    private static void cell(StringBuilder page, String text) {
        page.append("<td>").append(escape(text)).append("</td>");
    }

    private static String text(JsonNode node, String name) {
        return node.path(name).asString();
    }

    private static String join(JsonNode array, String between) {
        var joined = new StringBuilder();
        array.forEach(element -> joined.append(joined.isEmpty() ? "" : between).append(element.asString()));
        return joined.toString();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
