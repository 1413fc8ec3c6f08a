package dev.refrain.console;

import dev.refrain.recover.Operators;
import dev.refrain.store.AttentionItem;
import java.util.List;
import java.util.Optional;

/** What waits for a decision, the oldest first. Whoever decides it, the next ones move up: so there is one page. */
final class Attention implements Section {

    private static final int ROWS = 200;

    private final Operators operators;

    Attention(Operators operators) {
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
    public Page get(Visit visit) {
        var items = operators.listAttention(Optional.empty(), ROWS);
        if (items.isEmpty()) {
            return Page.of("Attention", Html.element("p").with("class", "told").content("Nothing waits for a decision."));
        }
        return Page.of(
                "Attention",
                Html.element("p")
                        .content(
                                "Whether these took effect is not known, so they are never run again until someone decides. Open one to"
                                        + " release or resolve it."),
                Tables.of(
                        List.of("Waits for", "Key", "Scope", "Operation", "Why"),
                        items.stream().map(item -> row(visit, item)).toList()),
                items.size() == ROWS
                        ? Html.element("p")
                                .with("class", "small")
                                .content("These are the oldest " + ROWS + "; there may be more.")
                        : Html.NOTHING);
    }

    private static List<Html> row(Visit visit, AttentionItem item) {
        return List.of(
                Html.text(Times.brief(item.age())),
                Html.element("a")
                        .with(
                                "href",
                                OneKey.link(
                                        visit,
                                        "key",
                                        Optional.of(item.identity()),
                                        item.claim().id()))
                        .content(Tables.code(item.identity().key())),
                Html.text(item.identity().scope()),
                Html.text(item.identity().namespace()),
                Html.text(item.reason()));
    }
}
