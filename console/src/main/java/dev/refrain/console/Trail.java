package dev.refrain.console;

import dev.refrain.recover.Operators;
import java.util.List;

/** Who did what and why, the newest first. */
final class Trail implements Section {

    private static final int ROWS = 200;

    private final Operators operators;

    Trail(Operators operators) {
        this.operators = operators;
    }

    @Override
    public String path() {
        return "trail";
    }

    @Override
    public String title() {
        return "Audit trail";
    }

    @Override
    public Page get(Visit visit) {
        var rows = operators.listAuditTrail(ROWS).stream()
                .map(e -> List.of(
                        Times.moment(e.at()),
                        Html.text(e.action()),
                        Tables.code(e.target()),
                        Html.text(e.who()),
                        Html.text(e.why())))
                .toList();
        return Page.of(
                title(),
                rows.isEmpty()
                        ? Html.element("p").with("class", "told").content("Nobody did anything yet.")
                        : Tables.of(List.of("When", "What", "Record", "Who", "Why"), rows));
    }
}
