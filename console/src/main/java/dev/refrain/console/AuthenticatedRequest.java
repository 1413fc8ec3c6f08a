package dev.refrain.console;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Request of a signed-in user. Immutable.
 *
 * @param subPath the path below the section, without a leading slash
 * @param csrfToken the token that every form of this user must contain
 */
public record AuthenticatedRequest(ConsoleRequest request, String user, String subPath, String csrfToken) {

    /** Builds a URL below the console with a query of these pairs; empty values are omitted. */
    String link(String path, Map<String, String> query) {
        String encoded = query.entrySet().stream()
                .filter(pair -> !pair.getValue().isEmpty() || pair.getKey().equals("scope"))
                .map(pair -> pair.getKey() + "=" + URLEncoder.encode(pair.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return request.mount() + "/" + path + (encoded.isEmpty() ? "" : "?" + encoded);
    }

    String link(String path) {
        return link(path, Map.of());
    }

    /** Builds a POST form with the user's token and the fields that the host requires. */
    SafeHtml form(String place, SafeHtml... content) {
        var hidden = new ArrayList<SafeHtml>();
        request.hostFormFields().forEach((name, value) -> hidden.add(hidden(name, value)));
        hidden.add(hidden(CsrfGuard.FIELD, csrfToken));
        return SafeHtml.element("form")
                .with("method", "post")
                .with("action", place)
                .content(SafeHtml.concat(hidden), SafeHtml.concat(List.of(content)));
    }

    private static SafeHtml hidden(String name, String value) {
        return SafeHtml.element("input")
                .with("type", "hidden")
                .with("name", name)
                .with("value", value)
                .empty();
    }
}
