package dev.refrain.console;

import dev.refrain.api.RecordId;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.DeadLetterDecision;
import dev.refrain.store.outbox.DeadLetterSearch;
import dev.refrain.store.outbox.DeadLetterView;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.OutboxStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** Console section that lists dead letters and resends or discards them, each for a reason. */
final class DeadLetterSection implements ConsoleSection {

    static final String NAME = "deadletters";

    private static final int ROWS = 50;

    private final OutboxBrowser browsing;
    private final OutboxStore<?> outbox;

    DeadLetterSection(OutboxBrowser browsing, OutboxStore<?> outbox) {
        this.browsing = browsing;
        this.outbox = outbox;
    }

    @Override
    public String path() {
        return NAME;
    }

    @Override
    public String title() {
        return "Dead letters";
    }

    @Override
    public ConsolePage get(AuthenticatedRequest visit) {
        return switch (visit.subPath()) {
            case "" -> list(visit);
            case "letter" ->
                find(visit).map(m -> page(visit, m, SafeHtml.NOTHING)).orElseGet(ConsolePage::notFound);
            default -> ConsolePage.notFound();
        };
    }

    @Override
    public ConsolePage post(AuthenticatedRequest visit) {
        var message = find(visit);
        var reason = visit.request().formField("reason");
        if (message.isEmpty()) {
            return ConsolePage.notFound();
        }
        if (reason.isEmpty()) {
            return ConsolePage.reasonMissing();
        }
        return switch (visit.subPath()) {
            case "letter/reveal" ->
                browsing.revealDeadLetter(message.get().id(), visit.user(), reason.get())
                        .map(letter -> page(visit, message.get(), revealed(letter)))
                        .orElseGet(ConsolePage::notFound);
            case "letter/resend" -> decide(visit, message.get(), DeadLetterDecision.Action.RESEND, reason.get());
            case "letter/discard" -> decide(visit, message.get(), DeadLetterDecision.Action.DISCARD, reason.get());
            default -> ConsolePage.notFound();
        };
    }

    private ConsolePage decide(
            AuthenticatedRequest visit, DeadLetterView message, DeadLetterDecision.Action action, String reason) {
        int done =
                outbox.resolveDeadLetters(new DeadLetterDecision(List.of(message.id()), action, visit.user(), reason));
        return done == 0 ? ConsolePage.notFound() : ConsolePage.redirect(visit.link(NAME));
    }

    private Optional<DeadLetterView> find(AuthenticatedRequest visit) {
        return visit.request().queryParameter("id").map(UUID::fromString).flatMap(browsing::findDeadLetter);
    }

    private ConsolePage list(AuthenticatedRequest visit) {
        var request = visit.request();
        var page = browsing.searchDeadLetters(new DeadLetterSearch(
                request.queryParameter("topic"),
                request.queryParameter("cause").map(DeadLetterSection::cause),
                request.queryParameter("after"),
                ROWS));
        var causes = Stream.concat(
                        Stream.of(""),
                        Stream.of(MessageSettlement.Cause.values()).map(Enum::name))
                .toList();
        return ConsolePage.of(
                title(),
                SafeHtml.element("p").content("These messages are no longer sent. Open one to resend or discard it."),
                HtmlFormFields.search(
                        visit.link(NAME),
                        HtmlFormFields.optional(
                                "text",
                                "topic",
                                "Topic",
                                request.queryParameter("topic").orElse("")),
                        HtmlFormFields.choice(
                                "cause",
                                "Cause",
                                request.queryParameter("cause").orElse(""),
                                causes),
                        HtmlFormFields.button("Search")),
                HtmlTables.tableOrEmptyMessage(
                        List.of("Dead for", "Cause", "Topic", "Message", "Attempts", "Reason"),
                        page.rows().stream().map(message -> row(visit, message)).toList(),
                        page.next()),
                HtmlTables.nextPageLink(visit, NAME, List.of("topic", "cause"), page.next()));
    }

    private static MessageSettlement.Cause cause(String text) {
        return Stream.of(MessageSettlement.Cause.values())
                .filter(cause -> cause.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Unknown cause. Use REFUSED, EXHAUSTED or UNKNOWN."));
    }

    private static List<SafeHtml> row(AuthenticatedRequest visit, DeadLetterView message) {
        return List.of(
                SafeHtml.text(ConsoleTimeFormat.brief(Duration.between(message.since(), message.seen()))),
                HtmlTables.state(message.cause().name()),
                SafeHtml.text(message.topic()),
                HtmlTables.link(linkTo(visit, "letter", message), brief(message.id())),
                SafeHtml.text(Integer.toString(message.attempts())),
                SafeHtml.text(message.reason()));
    }

    /** Shortens an id to its end, since the start is a timestamp and alike for many. */
    private static String brief(UUID id) {
        String text = id.toString();
        return "…" + text.substring(text.length() - 12);
    }

    private static String linkTo(AuthenticatedRequest visit, String act, DeadLetterView message) {
        return visit.link(NAME + "/" + act, Map.of("id", message.id().toString()));
    }

    private static ConsolePage page(AuthenticatedRequest visit, DeadLetterView message, SafeHtml revealed) {
        return ConsolePage.of(
                "Dead letter",
                HtmlTables.facts(List.of(
                        new HtmlTables.Fact("Topic", SafeHtml.text(message.topic())),
                        new HtmlTables.Fact(
                                "Cause", HtmlTables.state(message.cause().name())),
                        new HtmlTables.Fact("Reason", SafeHtml.text(message.reason())),
                        new HtmlTables.Fact("Attempts", SafeHtml.text(Integer.toString(message.attempts()))),
                        new HtmlTables.Fact("Staged", ConsoleTimeFormat.moment(message.staged())),
                        new HtmlTables.Fact("Dead since", ConsoleTimeFormat.moment(message.since())),
                        new HtmlTables.Fact("Size", SafeHtml.text(message.bytes() + " bytes")),
                        new HtmlTables.Fact("Id", HtmlTables.code(message.id().toString())),
                        new HtmlTables.Fact(
                                "Idempotency key",
                                HtmlTables.code(new RecordId(message.id()).keyFor(message.topic()))))),
                SafeHtml.element("h2").content("Body"),
                revealed.equals(SafeHtml.NOTHING)
                        ? RecordActionForms.reveal(visit, linkTo(visit, "letter/reveal", message))
                        : revealed,
                SafeHtml.element("h2").content("Decide"),
                SafeHtml.element("div").with("class", "acts").content(resend(visit, message), discard(visit, message)));
    }

    private static SafeHtml resend(AuthenticatedRequest visit, DeadLetterView message) {
        return visit.form(
                linkTo(visit, "letter/resend", message),
                SafeHtml.element("h3").content("Resend"),
                SafeHtml.element("p")
                        .content(
                                message.cause() == MessageSettlement.Cause.UNKNOWN
                                        ? "It may already have been delivered: check with the receiver first. Resending asserts that it was "
                                                + "not. A receiver that deduplicates by key processes it once in any case."
                                        : "Sent as if just staged, under the same key."),
                HtmlFormFields.reason("resend-reason"),
                HtmlFormFields.button("Resend"));
    }

    private static SafeHtml discard(AuthenticatedRequest visit, DeadLetterView message) {
        return visit.form(
                linkTo(visit, "letter/discard", message),
                SafeHtml.element("h3").content("Discard"),
                SafeHtml.element("p")
                        .content(
                                "Deletes the message without delivering it. The audit trail records who did it and why."),
                HtmlFormFields.reason("discard-reason"),
                HtmlFormFields.button("Discard"));
    }

    private static SafeHtml revealed(DeadLetter letter) {
        return SafeHtml.element("div").with("id", "revealed").content(RevealedContentPanel.body(letter.payload()));
    }
}
