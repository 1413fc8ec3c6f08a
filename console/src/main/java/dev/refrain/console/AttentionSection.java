package dev.refrain.console;

import dev.refrain.RecordAdmin;
import dev.refrain.store.AttentionItem;
import java.util.List;
import java.util.Optional;

/** What waits for a decision, the oldest first. Whoever decides it, the next ones move up: so there is one page. */
final class AttentionSection implements ConsoleSection {

    private static final int ROWS = 200;

    private final RecordAdmin operators;

    AttentionSection(RecordAdmin operators) {
        this.operators = operators;
    }

    @Override
    public String path() {
        return "attention";
    }

    @Override
    public String title() {
        return "Attention";
    }

    @Override
    public ConsolePage get(AuthenticatedRequest visit) {
        var items = operators.listAttention(ROWS);
        if (items.isEmpty()) {
            return ConsolePage.of(
                    "Attention", SafeHtml.element("p").with("class", "told").content("Nothing waits for a decision."));
        }
        return ConsolePage.of(
                "Attention",
                SafeHtml.element("p")
                        .content(
                                "Whether these took effect is not known, so they are never run again until someone decides. Open one to"
                                        + " release or resolve it."),
                HtmlTables.of(
                        List.of("Waits for", "Key", "Scope", "Operation", "Why"),
                        items.stream().map(item -> row(visit, item)).toList()),
                items.size() == ROWS
                        ? SafeHtml.element("p")
                                .with("class", "small")
                                .content("These are the oldest " + ROWS + "; there may be more.")
                        : SafeHtml.NOTHING);
    }

    private static List<SafeHtml> row(AuthenticatedRequest visit, AttentionItem item) {
        return List.of(
                SafeHtml.text(ConsoleTimeFormat.brief(item.age())),
                SafeHtml.element("a")
                        .with(
                                "href",
                                KeyDetailSection.link(
                                        visit,
                                        "key",
                                        Optional.of(item.identity()),
                                        item.claim().id()))
                        .content(HtmlTables.code(item.identity().key())),
                SafeHtml.text(item.identity().scope()),
                SafeHtml.text(item.identity().namespace()),
                SafeHtml.text(item.reason()));
    }
}
