package dev.refrain.console;

import dev.refrain.http.contract.PublishedContract;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The contract that clients are told, as this instance publishes it. */
public final class Contract implements Section {

    private final Supplier<PublishedContract> contract;

    public Contract(Supplier<PublishedContract> contract) {
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
    public Page get(Visit visit) {
        var told = contract.get();
        var published = JsonMapper.shared().readTree(told.json().body().bytes());
        var rows = new ArrayList<List<Html>>();
        published.path("routes").forEach(route -> rows.add(row(route)));
        return Page.of(
                title(),
                Html.element("p")
                        .content(
                                Html.text("What clients are told about the protected routes of this instance, at "),
                                Tables.code(told.path()),
                                Html.text(".")),
                Tables.of(List.of("Route", "Operation", "Key", "While it runs", "Kept", "For", "Mode"), rows));
    }

    private static List<Html> row(JsonNode route) {
        var methods = new ArrayList<String>();
        route.path("methods").forEach(method -> methods.add(method.asString()));
        return List.of(
                Tables.code(
                        String.join(", ", methods) + " " + route.path("path").asString()),
                Html.text(route.path("operation").asString()),
                Html.text(route.path("key").path("required").asString()),
                Html.text(route.path("inFlight").asString()),
                Html.text(route.path("kept").asString()),
                Html.text(route.path("retention").asString()),
                Html.text(route.path("mode").asString()));
    }
}
