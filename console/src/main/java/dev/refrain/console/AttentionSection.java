package dev.refrain.console;

import dev.refrain.RecordAdmin;
import dev.refrain.store.AttentionItem;
import java.util.List;
import java.util.Optional;

/**
 * Console section that lists the keys in ATTENTION, oldest first. One page suffices, because decided keys make room for
 * the next.
 */
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
                    "Attention", SafeHtml.element("p").with("class", "notice").content("No keys in ATTENTION."));
        }
        return ConsolePage.of(
                "Attention",
                SafeHtml.element("p")
                        .content(
                                "The outcome of these keys is unknown. They do not run again until someone decides. Open a key to "
                                        + "release or resolve it."),
                HtmlTables.of(
                        List.of("Age", "Key", "Scope", "Operation", "Reason", "May have been sent"),
                        items.stream().map(item -> row(visit, item)).toList()),
                items.size() == ROWS
                        ? SafeHtml.element("p")
                                .with("class", "small")
                                .content("Showing the oldest " + ROWS + "; there may be more.")
                        : SafeHtml.NOTHING);
    }

    private static List<SafeHtml> row(AuthenticatedRequest visit, AttentionItem item) {
        return List.of(
                SafeHtml.text(ConsoleTimeFormat.brief(item.explanation().age())),
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
                SafeHtml.text(
                        item.explanation().operation().orElse(item.identity().namespace())),
                SafeHtml.text(item.reason()),
                ExplanationPanel.brief(item.explanation().calls()));
    }
}
