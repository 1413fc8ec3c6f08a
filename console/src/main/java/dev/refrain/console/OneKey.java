package dev.refrain.console;

import dev.refrain.http.settings.Words;
import dev.refrain.key.Identity;
import dev.refrain.key.RecordId;
import dev.refrain.outcome.Header;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.Payload;
import dev.refrain.recover.Operators;
import dev.refrain.store.Browsing;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.RecordView;
import dev.refrain.store.State;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** One key: its story, and what may be done about it. */
final class OneKey implements Section {

    private static final String NAME = "key";

    private final Browsing browsing;
    private final Operators operators;
    private final Live live;

    OneKey(Browsing browsing, Operators operators, Live live) {
        this.browsing = browsing;
        this.operators = operators;
        this.live = live;
    }

    @Override
    public String path() {
        return NAME;
    }

    @Override
    public String title() {
        return "Key";
    }

    @Override
    public boolean inMenu() {
        return false;
    }

    /** By its names, which every store finds; by its id only once it has lost them. */
    static String link(Visit visit, RecordView record) {
        return link(visit, NAME, record.identity(), record.claim().id());
    }

    static String link(Visit visit, String path, Optional<Identity> identity, RecordId id) {
        Map<String, String> query = new LinkedHashMap<>();
        identity.ifPresentOrElse(
                i -> {
                    query.put("scope", i.scope());
                    query.put("operation", i.namespace());
                    query.put("key", i.key());
                },
                () -> query.put("id", id.toString()));
        return visit.link(path, query);
    }

    @Override
    public Page get(Visit visit) {
        return visit.subPath().isEmpty()
                ? find(visit).map(r -> page(visit, r, Html.NOTHING)).orElseGet(Page::notFound)
                : Page.notFound();
    }

    @Override
    public Page post(Visit visit) {
        var record = find(visit);
        var reason = visit.request().formField("reason");
        if (record.isEmpty()) {
            return Page.notFound();
        }
        if (reason.isEmpty()) {
            return Page.reasonMissing();
        }
        return switch (visit.subPath()) {
            case "reveal" -> reveal(visit, record.get(), reason.get());
            case "release" ->
                done(visit, record.get(), operators.release(seen(visit, record.get()), visit.user(), reason.get()));
            case "resolve" -> done(visit, record.get(), resolve(visit, seen(visit, record.get()), reason.get()));
            default -> Page.notFound();
        };
    }

    private boolean resolve(Visit visit, ClaimRef seen, String reason) {
        var outcome = outcome(visit.request());
        var kept = visit.request().formField("retention").map(word -> Words.retention("The time to keep it", word));
        return kept.isPresent()
                ? operators.resolve(seen, outcome, kept.get(), visit.user(), reason)
                : operators.resolve(seen, outcome, visit.user(), reason);
    }

    /** The record and fence that the visitor looked at: one that has moved on since is left alone. */
    private static ClaimRef seen(Visit visit, RecordView record) {
        if (record.state() != State.ATTENTION) {
            throw Acts.recordChanged();
        }
        return Acts.seen(visit, record.claim());
    }

    private static Page done(Visit visit, RecordView record, boolean done) {
        return done ? Page.redirect(link(visit, record)) : Page.conflict();
    }

    private Page reveal(Visit visit, RecordView record, String reason) {
        var identity = record.identity()
                .orElseThrow(() -> new IllegalArgumentException("It was erased: it says nothing any more."));
        browsing.auditReveal(record.claim().id(), visit.user(), reason);
        return page(visit, record, Revealed.of(operators.find(identity)));
    }

    private static Outcome outcome(ConsoleRequest request) {
        var status = request.formField("status");
        if (status.isEmpty()) {
            return new Outcome.StateOnly();
        }
        if (!status.get().strip().matches("[1-9][0-9]{2}")) {
            throw new IllegalArgumentException("A status has three digits, such as 201.");
        }
        var type = request.formField("type")
                .map(t -> new Header("Content-Type", t.strip()))
                .map(List::of);
        return new Outcome.Answer(
                Integer.parseInt(status.get().strip()),
                type.orElse(List.of()),
                Payload.of(request.form().getOrDefault("body", "").getBytes(StandardCharsets.UTF_8)));
    }

    private Optional<RecordView> find(Visit visit) {
        var query = visit.request().query();
        if (query.containsKey("id")) {
            return browsing.find(new RecordId(UUID.fromString(query.getOrDefault("id", ""))));
        }
        return browsing.find(new Identity(
                query.getOrDefault("scope", ""), query.getOrDefault("operation", ""), query.getOrDefault("key", "")));
    }

    private Page page(Visit visit, RecordView record, Html revealed) {
        var trail = browsing.audit(record.claim().id(), 100);
        return Page.of(
                record.identity().map(Identity::key).orElse("Erased record"),
                KeyFacts.of(record),
                Html.element("h2").content("Timeline"),
                Timeline.of(record, trail, live.of(record.claim().id())),
                Html.element("h2").content("Request and answer"),
                revealed.equals(Html.NOTHING) ? Acts.reveal(visit, record) : revealed,
                record.state() == State.ATTENTION ? Acts.decide(visit, record) : Html.NOTHING);
    }
}
