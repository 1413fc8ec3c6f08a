package dev.refrain.console;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A request of someone who was let in.
 *
 * @param subPath the path below the section, without a slash at its beginning
 * @param csrfToken what every form of this visitor carries
 */
public record AuthenticatedRequest(ConsoleRequest request, String user, String subPath, String csrfToken) {

    /** Below the console, with a query of these pairs; what is empty is left out. */
    String link(String path, Map<String, String> query) {
        String asked = query.entrySet().stream()
                .filter(pair -> !pair.getValue().isEmpty() || pair.getKey().equals("scope"))
                .map(pair -> pair.getKey() + "=" + URLEncoder.encode(pair.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return request.mount() + "/" + path + (asked.isEmpty() ? "" : "?" + asked);
    }

    String link(String path) {
        return link(path, Map.of());
    }

    /** A form that changes something: it carries the visitor's token and whatever the host wants. */
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
