package dev.refrain.console;

import dev.refrain.RecordAdmin;
import java.util.List;

/** Console section that shows the audit trail: who did what and why, newest first. */
final class AuditTrailSection implements ConsoleSection {

    private static final int ROWS = 200;

    private final RecordAdmin operators;

    AuditTrailSection(RecordAdmin operators) {
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
    public ConsolePage get(AuthenticatedRequest visit) {
        var rows = operators.listAuditTrail(ROWS).stream()
                .map(e -> List.of(
                        ConsoleTimeFormat.moment(e.at()),
                        SafeHtml.text(e.action()),
                        HtmlTables.code(e.target()),
                        SafeHtml.text(e.who()),
                        SafeHtml.text(e.why())))
                .toList();
        return ConsolePage.of(
                title(),
                rows.isEmpty()
                        ? SafeHtml.element("p").with("class", "notice").content("No entries yet.")
                        : HtmlTables.of(List.of("When", "Action", "Record", "Who", "Why"), rows));
    }
}
