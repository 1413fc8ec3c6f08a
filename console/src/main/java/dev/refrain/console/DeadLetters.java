package dev.refrain.console;

import dev.refrain.key.RecordId;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.DeadMessage;
import dev.refrain.store.outbox.DeadSearch;
import dev.refrain.store.outbox.Decision;
import dev.refrain.store.outbox.OutboxBrowsing;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** Messages that are not sent any more: to be sent again or given up, each for a reason. */
final class DeadLetters implements Section {

    static final String NAME = "deadletters";

    private static final int ROWS = 50;

    private final OutboxBrowsing browsing;
    private final OutboxStore<?> outbox;

    DeadLetters(OutboxBrowsing browsing, OutboxStore<?> outbox) {
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
    public Page get(Visit visit) {
        return switch (visit.subPath()) {
            case "" -> list(visit);
            case "letter" -> found(visit).map(m -> page(visit, m, Html.NOTHING)).orElseGet(Page::notFound);
            default -> Page.notFound();
        };
    }

    @Override
    public Page post(Visit visit) {
        var message = found(visit);
        var reason = visit.request().formField("reason");
        if (message.isEmpty()) {
            return Page.notFound();
        }
        if (reason.isEmpty()) {
            return Page.reasonMissing();
        }
        return switch (visit.subPath()) {
            case "letter/reveal" ->
                browsing.revealDeadLetter(message.get().id(), visit.user(), reason.get())
                        .map(letter -> page(visit, message.get(), revealed(letter)))
                        .orElseGet(Page::notFound);
            case "letter/again" -> decided(visit, message.get(), Decision.Verdict.SEND_AGAIN, reason.get());
            case "letter/dismiss" -> decided(visit, message.get(), Decision.Verdict.DISMISS, reason.get());
            default -> Page.notFound();
        };
    }

    private Page decided(Visit visit, DeadMessage message, Decision.Verdict verdict, String reason) {
        int done = outbox.resolveDeadLetters(new Decision(List.of(message.id()), verdict, visit.user(), reason));
        return done == 0 ? Page.notFound() : Page.redirect(visit.link(NAME));
    }

    private Optional<DeadMessage> found(Visit visit) {
        return visit.request().queryParameter("id").map(UUID::fromString).flatMap(browsing::findDeadLetter);
    }

    private Page list(Visit visit) {
        var request = visit.request();
        var page = browsing.searchDeadLetters(new DeadSearch(
                request.queryParameter("topic"), request.queryParameter("cause").map(DeadLetters::cause), request.queryParameter("after"), ROWS));
        var causes = Stream.concat(
                        Stream.of(""), Stream.of(Settlement.Cause.values()).map(Enum::name))
                .toList();
        return Page.of(
                title(),
                Html.element("p")
                        .content(
                                "These are not sent any more until someone decides. Open one to send it again or to give it up."),
                Fields.search(
                        visit.link(NAME),
                        Fields.optional(
                                "text", "topic", "Topic", request.queryParameter("topic").orElse("")),
                        Fields.choice("cause", "Cause", request.queryParameter("cause").orElse(""), causes),
                        Fields.button("Search")),
                Tables.tableOrEmptyMessage(
                        List.of("Dead for", "Cause", "Topic", "Message", "Attempts", "Why"),
                        page.rows().stream().map(message -> row(visit, message)).toList(),
                        page.next()),
                Tables.nextPageLink(visit, NAME, List.of("topic", "cause"), page.next()));
    }

    private static Settlement.Cause cause(String text) {
        return Stream.of(Settlement.Cause.values())
                .filter(cause -> cause.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no such cause."));
    }

    private static List<Html> row(Visit visit, DeadMessage message) {
        return List.of(
                Html.text(Times.brief(Duration.between(message.since(), message.seen()))),
                Tables.state(message.cause().name()),
                Html.text(message.topic()),
                Tables.link(place(visit, "letter", message), brief(message.id())),
                Html.text(Integer.toString(message.attempts())),
                Html.text(message.reason()));
    }

    /** Ids begin with the time, so that the end tells them apart. */
    private static String brief(UUID id) {
        String text = id.toString();
        return "…" + text.substring(text.length() - 12);
    }

    private static String place(Visit visit, String act, DeadMessage message) {
        return visit.link(NAME + "/" + act, Map.of("id", message.id().toString()));
    }

    private static Page page(Visit visit, DeadMessage message, Html revealed) {
        return Page.of(
                "Dead letter",
                Tables.facts(List.of(
                        new Tables.Fact("Topic", Html.text(message.topic())),
                        new Tables.Fact("Cause", Tables.state(message.cause().name())),
                        new Tables.Fact("Why", Html.text(message.reason())),
                        new Tables.Fact("Attempts", Html.text(Integer.toString(message.attempts()))),
                        new Tables.Fact("Staged", Times.moment(message.staged())),
                        new Tables.Fact("Dead since", Times.moment(message.since())),
                        new Tables.Fact("Length", Html.text(message.bytes() + " bytes")),
                        new Tables.Fact("Message", Tables.code(message.id().toString())),
                        new Tables.Fact(
                                "Key of its deliveries",
                                Tables.code(new RecordId(message.id()).keyFor(message.topic()))))),
                Html.element("h2").content("What it says"),
                revealed.equals(Html.NOTHING) ? Acts.reveal(visit, place(visit, "letter/reveal", message)) : revealed,
                Html.element("h2").content("Decide"),
                Html.element("div").with("class", "acts").content(again(visit, message), dismiss(visit, message)));
    }

    private static Html again(Visit visit, DeadMessage message) {
        return visit.form(
                place(visit, "letter/again", message),
                Html.element("h3").content("Send it again"),
                Html.element("p")
                        .content(
                                message.cause() == Settlement.Cause.UNKNOWN
                                        ? "It may have arrived: ask the other side first. It is sent under the same key, so one that knows keys"
                                                + " does nothing twice."
                                        : "As if it had just been staged, under the same key."),
                Fields.reason("again-reason"),
                Fields.button("Send again"));
    }

    private static Html dismiss(Visit visit, DeadMessage message) {
        return visit.form(
                place(visit, "letter/dismiss", message),
                Html.element("h3").content("Give it up"),
                Html.element("p").content("It is deleted and never delivered. The trail says by whom and why."),
                Fields.reason("dismiss-reason"),
                Fields.button("Give up"));
    }

    private static Html revealed(DeadLetter letter) {
        return Html.element("div").with("id", "revealed").content(Revealed.body(letter.payload()));
    }
}
