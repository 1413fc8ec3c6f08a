package dev.refrain.console;

import dev.refrain.RecordAdmin;
import dev.refrain.api.AnswerHeader;
import dev.refrain.api.ClaimRef;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.http.edge.OperatorResponseRules;
import dev.refrain.http.internal.settings.SettingParser;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordView;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Console page of one key: its facts and timeline, and the forms to release or resolve it. */
final class KeyDetailSection implements ConsoleSection {

    private static final String NAME = "key";

    private final RecordBrowser browsing;
    private final RecordAdmin operators;
    private final LiveActivityListener live;

    KeyDetailSection(RecordBrowser browsing, RecordAdmin operators, LiveActivityListener live) {
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

    /** Links to a record by its key, which every store can look up; by id only after the key was erased. */
    static String link(AuthenticatedRequest visit, RecordView record) {
        return link(visit, NAME, record.identity(), record.claim().id());
    }

    static String link(AuthenticatedRequest visit, String path, Optional<ScopedKey> identity, RecordId id) {
        Map<String, String> query = new LinkedHashMap<>();
        identity.ifPresentOrElse(
                i -> {
                    query.put("scope", i.scope());
                    query.put("namespace", i.namespace());
                    query.put("key", i.key());
                },
                () -> query.put("id", id.toString()));
        return visit.link(path, query);
    }

    @Override
    public ConsolePage get(AuthenticatedRequest visit) {
        return visit.subPath().isEmpty()
                ? find(visit).map(r -> page(visit, r, SafeHtml.NOTHING)).orElseGet(ConsolePage::notFound)
                : ConsolePage.notFound();
    }

    @Override
    public ConsolePage post(AuthenticatedRequest visit) {
        var record = find(visit);
        var reason = visit.request().formField("reason");
        if (record.isEmpty()) {
            return ConsolePage.notFound();
        }
        if (reason.isEmpty()) {
            return ConsolePage.reasonMissing();
        }
        return switch (visit.subPath()) {
            case "reveal" -> reveal(visit, record.get(), reason.get());
            case "release" ->
                done(visit, record.get(), operators.release(seen(visit, record.get()), visit.user(), reason.get()));
            case "resolve" -> done(visit, record.get(), resolve(visit, seen(visit, record.get()), reason.get()));
            case "resolve-as-failed" ->
                done(
                        visit,
                        record.get(),
                        operators.resolveAsFailed(seen(visit, record.get()), visit.user(), reason.get()));
            default -> ConsolePage.notFound();
        };
    }

    private boolean resolve(AuthenticatedRequest visit, ClaimRef seen, String reason) {
        var outcome = outcome(visit.request());
        var retention =
                visit.request().formField("retention").map(word -> SettingParser.retention("The retention", word));
        return retention.isPresent()
                ? operators.resolve(seen, outcome, retention.get(), visit.user(), reason)
                : operators.resolve(seen, outcome, visit.user(), reason);
    }

    /** Returns the claim that the user saw; fails if the record changed since. */
    private static ClaimRef seen(AuthenticatedRequest visit, RecordView record) {
        if (record.state() != RecordState.ATTENTION) {
            throw RecordActionForms.recordChanged();
        }
        return RecordActionForms.requireSeen(visit, record.claim());
    }

    private static ConsolePage done(AuthenticatedRequest visit, RecordView record, boolean done) {
        return done ? ConsolePage.redirect(link(visit, record)) : ConsolePage.conflict();
    }

    private ConsolePage reveal(AuthenticatedRequest visit, RecordView record, String reason) {
        var identity = record.identity()
                .orElseThrow(() ->
                        new IllegalArgumentException("The record was erased: its request and response are gone."));
        browsing.auditReveal(record.claim().id(), visit.user(), reason);
        return page(
                visit, record, RevealedContentPanel.of(operators.find(identity), operators.findKeptRequest(identity)));
    }

    private static Outcome outcome(ConsoleRequest request) {
        var status = request.formField("status");
        if (status.isEmpty()) {
            return new Outcome.StateOnly();
        }
        if (!status.get().strip().matches("[2-5][0-9]{2}")) {
            throw new IllegalArgumentException("The status must be from 200 to 599, for example 201.");
        }
        var type = request.formField("type")
                .map(t -> new AnswerHeader("Content-Type", t.strip()))
                .map(List::of);
        return OperatorResponseRules.requireSendable(new Outcome.Answer(
                Integer.parseInt(status.get().strip()),
                type.orElse(List.of()),
                Payload.of(request.form().getOrDefault("body", "").getBytes(StandardCharsets.UTF_8))));
    }

    private Optional<RecordView> find(AuthenticatedRequest visit) {
        var query = visit.request().query();
        if (query.containsKey("id")) {
            return browsing.find(new RecordId(UUID.fromString(query.getOrDefault("id", ""))));
        }
        return browsing.find(ClientKey.scope(query.getOrDefault("scope", ""))
                .key(query.getOrDefault("key", ""))
                .inNamespace(query.getOrDefault("namespace", "")));
    }

    private ConsolePage page(AuthenticatedRequest visit, RecordView record, SafeHtml revealed) {
        var trail = browsing.audit(record.claim().id(), 100);
        return ConsolePage.of(
                record.identity().map(ScopedKey::key).orElse("Erased record"),
                KeyFactsPanel.of(record),
                ExplanationPanel.of(record.explanation()),
                SafeHtml.element("h2").content("Timeline"),
                KeyTimelinePanel.of(record, trail, live.of(record.claim().id())),
                SafeHtml.element("h2").content("Request and response"),
                revealed.equals(SafeHtml.NOTHING) ? RecordActionForms.reveal(visit, record) : revealed,
                record.state() == RecordState.ATTENTION ? RecordActionForms.decide(visit, record) : SafeHtml.NOTHING);
    }
}
