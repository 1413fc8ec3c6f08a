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
 * @param rest the path below the section, without a slash at its beginning
 * @param csrf what every form of this visitor carries
 */
public record Visit(ConsoleRequest request, String who, String rest, String csrf) {

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
    Html form(String place, Html... content) {
        var hidden = new ArrayList<Html>();
        request.fields().forEach((name, value) -> hidden.add(hidden(name, value)));
        hidden.add(hidden(Forgery.FIELD, csrf));
        return Html.element("form")
                .with("method", "post")
                .with("action", place)
                .of(Html.all(hidden), Html.all(List.of(content)));
    }

    private static Html hidden(String name, String value) {
        return Html.element("input")
                .with("type", "hidden")
                .with("name", name)
                .with("value", value)
                .empty();
    }
}
