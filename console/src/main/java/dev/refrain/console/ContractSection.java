package dev.refrain.console;

import dev.refrain.http.contract.PublishedRouteContract;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Console section that shows the contract this instance publishes to clients. */
public final class ContractSection implements ConsoleSection {

    private final Supplier<PublishedRouteContract> contract;

    public ContractSection(Supplier<PublishedRouteContract> contract) {
        this.contract = contract;
    }

    @Override
    public String path() {
        return "contract";
    }

    @Override
    public String title() {
        return "Contract";
    }

    @Override
    public ConsolePage get(AuthenticatedRequest visit) {
        var current = contract.get();
        var published = JsonMapper.shared().readTree(current.json().body().bytes());
        var rows = new ArrayList<List<SafeHtml>>();
        published.path("routes").forEach(route -> rows.add(row(route)));
        return ConsolePage.of(
                title(),
                SafeHtml.element("p")
                        .content(
                                SafeHtml.text("The contract of the protected routes, as published to clients at "),
                                HtmlTables.code(current.path()),
                                SafeHtml.text(".")),
                HtmlTables.of(List.of("Route", "Operation", "Key", "In flight", "Kept", "Retention", "Mode"), rows));
    }

    private static List<SafeHtml> row(JsonNode route) {
        var methods = new ArrayList<String>();
        route.path("methods").forEach(method -> methods.add(method.asString()));
        return List.of(
                HtmlTables.code(
                        String.join(", ", methods) + " " + route.path("path").asString()),
                SafeHtml.text(route.path("operation").asString()),
                SafeHtml.text(route.path("key").path("required").asString()),
                SafeHtml.text(route.path("inFlight").asString()),
                SafeHtml.text(route.path("kept").asString()),
                SafeHtml.text(route.path("retention").asString()),
                SafeHtml.text(route.path("mode").asString()));
    }
}
