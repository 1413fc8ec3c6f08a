package dev.refrain.console;

import dev.refrain.api.DurationText;
import dev.refrain.http.Route;
import dev.refrain.http.contract.PublishedRouteContract;
import java.util.List;
import java.util.function.Supplier;

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
        var rows = current.routes().stream().map(route -> row(route, current)).toList();
        return ConsolePage.of(
                title(),
                SafeHtml.element("p")
                        .content(
                                SafeHtml.text("The contract of the protected routes, as published to clients at "),
                                HtmlTables.code(current.path()),
                                SafeHtml.text(".")),
                HtmlTables.of(
                        List.of("Route", "Operation", "Key", "In flight", "Kept", "Failures", "Retention", "Mode"),
                        rows));
    }

    private static List<SafeHtml> row(Route route, PublishedRouteContract contract) {
        var policy = route.policy();
        var stored = contract.outcomes(route);
        return List.of(
                HtmlTables.code(PublishedRouteContract.methods(route) + " " + contract.path(route)),
                SafeHtml.text(route.name()),
                SafeHtml.text(policy.key().requirement().toString()),
                SafeHtml.text(policy.run().inFlight().toString()),
                SafeHtml.text(stored.kept()),
                SafeHtml.text(stored.failures()),
                SafeHtml.text(policy.replay()
                        .retention()
                        .duration()
                        .map(DurationText::of)
                        .orElse("for ever")),
                SafeHtml.text(policy.run().mode().toString()));
    }
}
