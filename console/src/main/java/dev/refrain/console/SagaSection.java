package dev.refrain.console;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.ClientKey;
import dev.refrain.api.ScopedKey;
import dev.refrain.saga.Saga;
import dev.refrain.saga.SagaResult;
import dev.refrain.saga.SagaRunner;
import dev.refrain.saga.SagaView;
import dev.refrain.saga.SagaView.Status;
import dev.refrain.saga.StuckSaga;
import dev.refrain.store.RecordState;
import dev.refrain.store.UnfinishedRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Console section for sagas: the unfinished ones, and each one step by step. Requires {@code refrain-saga}.
 * Thread-safe.
 *
 * {@snippet :
 * var console = OperatorConsole.of(access, sections).and(new SagaSection<>(sagas, List.of(placeOrder)));
 * }
 *
 * @param <C> the type by which a step reaches the database
 */
public final class SagaSection<C> implements ConsoleSection {

    private static final String NAME = "sagas";
    private static final int ROWS = 200;

    private final SagaRunner<C> sagas;
    private final List<Saga<?, C>> known;

    public SagaSection(SagaRunner<C> sagas, List<? extends Saga<?, C>> known) {
        this.sagas = sagas;
        this.known = List.copyOf(known);
    }

    @Override
    public String path() {
        return NAME;
    }

    @Override
    public String title() {
        return "Sagas";
    }

    @Override
    public ConsolePage get(AuthenticatedRequest visit) {
        return switch (visit.subPath()) {
            case "" -> list(visit);
            case "saga" ->
                findSaga(visit)
                        .flatMap(saga -> findView(visit, saga))
                        .map(view -> page(visit, view))
                        .orElseGet(ConsolePage::notFound);
            default -> ConsolePage.notFound();
        };
    }

    @Override
    public ConsolePage post(AuthenticatedRequest visit) {
        var saga = findSaga(visit);
        var view = saga.flatMap(s -> findView(visit, s)).filter(seen -> needsDecision(seen) || seen.canBeCompensated());
        var reason = visit.request().formField("reason");
        if (view.isEmpty()) {
            return ConsolePage.notFound();
        }
        if (reason.isEmpty()) {
            return ConsolePage.reasonMissing();
        }
        var seen = RecordActionForms.requireSeen(visit, view.get().claim());
        boolean done = view.get().canBeCompensated()
                ? visit.subPath().equals("saga/compensate") && compensate(visit, saga.get(), view.get(), reason.get())
                : decideStuck(visit, saga.get(), view.get(), seen, reason.get());
        return done ? ConsolePage.redirect(place(visit, "saga", view.get().identity())) : ConsolePage.conflict();
    }

    private boolean decideStuck(
            AuthenticatedRequest visit, Saga<?, C> saga, SagaView view, ClaimRef seen, String reason) {
        var stuck = new StuckSaga(
                view.identity(),
                seen,
                java.time.Duration.ZERO,
                saga.outcomeRetention(),
                new SagaResult.Stuck(view.failure().orElseThrow(), List.of(), Map.of()));
        return switch (visit.subPath()) {
            case "saga/retry" -> sagas.retry(stuck, visit.user(), reason);
            case "saga/give-up" -> sagas.abandonCompensation(stuck, visit.user(), reason);
            default -> false;
        };
    }

    private boolean compensate(AuthenticatedRequest visit, Saga<?, C> saga, SagaView view, String reason) {
        try {
            return sagas.compensate(saga, view, visit.user(), reason);
        } catch (RuntimeException failed) {
            throw failed;
        } catch (Exception failed) {
            throw new IllegalStateException("Cannot compensate saga " + saga.name() + ".", failed);
        }
    }

    /** Returns whether a failed compensation waits for a decision; other decisions are made on the page of the key. */
    private static boolean needsDecision(SagaView view) {
        return view.state() == RecordState.ATTENTION
                && view.status() == Status.STUCK
                && view.failure().isPresent();
    }

    private Optional<Saga<?, C>> findSaga(AuthenticatedRequest visit) {
        return known.stream()
                .filter(saga -> visit.request()
                        .queryParameter("saga")
                        .filter(saga.namespace()::equals)
                        .isPresent())
                .findFirst();
    }

    private Optional<SagaView> findView(AuthenticatedRequest visit, Saga<?, C> saga) {
        var query = visit.request().query();
        return sagas.find(saga, ClientKey.scope(query.getOrDefault("scope", "")).key(query.getOrDefault("id", "")));
    }

    private ConsolePage list(AuthenticatedRequest visit) {
        var parts = new ArrayList<SafeHtml>();
        known.forEach(saga -> parts.add(summary(visit, saga)));
        return ConsolePage.of(title(), parts.toArray(SafeHtml[]::new));
    }

    private SafeHtml summary(AuthenticatedRequest visit, Saga<?, C> saga) {
        var open = sagas.unfinished(saga, ROWS);
        String prefix = open.size() == ROWS ? "at least " : "";
        long waiting =
                open.stream().filter(s -> s.state() == RecordState.ATTENTION).count();
        long compensating =
                open.stream().filter(s -> course(s) != Status.RUNNING).count();
        long overdue = open.stream().filter(s -> isOverdue(saga, s)).count();
        return SafeHtml.concat(
                SafeHtml.element("h2").content(saga.name()),
                MetricTiles.of(List.of(
                        MetricTiles.tile("Unfinished", prefix + open.size(), "running, delayed or abandoned", false),
                        MetricTiles.tile(
                                "Overdue",
                                prefix + overdue,
                                "running for more than " + ConsoleTimeFormat.brief(saga.overdueAfter()),
                                overdue > 0),
                        MetricTiles.tile("Compensating", prefix + compensating, "a step failed; being undone", false),
                        MetricTiles.tile("Attention", prefix + waiting, "need a decision", waiting > 0))),
                open.isEmpty()
                        ? SafeHtml.element("p").with("class", "notice").content("No unfinished sagas.")
                        : HtmlTables.of(
                                List.of(
                                        "Age",
                                        "State",
                                        "Status",
                                        "Saga",
                                        "Scope",
                                        "Recovery point",
                                        "Completer attempts"),
                                open.stream().map(s -> row(visit, saga, s)).toList()),
                SafeHtml.element("p")
                        .content(HtmlTables.link(
                                visit.link(
                                        "keys",
                                        Map.of("namespace", saga.namespace(), "state", RecordState.COMPLETED.name())),
                                "Finished sagas")));
    }

    private List<SafeHtml> row(AuthenticatedRequest visit, Saga<?, C> saga, UnfinishedRecord open) {
        return List.of(
                SafeHtml.text(ConsoleTimeFormat.brief(open.age()) + (isOverdue(saga, open) ? ", overdue" : "")),
                HtmlTables.state(open.state().name()),
                SafeHtml.text(lowerCase(course(open))),
                HtmlTables.link(
                        place(visit, "saga", open.identity()), open.identity().key()),
                SafeHtml.text(open.identity().scope()),
                open.recoveryPoint().map(KeyFactsPanel::point).orElse(SafeHtml.text("start")),
                SafeHtml.text(open.attempts() == 0 ? "" : Integer.toString(open.attempts())));
    }

    private static Status course(UnfinishedRecord open) {
        return Status.at(open.recoveryPoint().orElse(null));
    }

    private static boolean isOverdue(Saga<?, ?> saga, UnfinishedRecord open) {
        return open.age().compareTo(saga.overdueAfter()) > 0;
    }

    private static String place(AuthenticatedRequest visit, String act, ScopedKey identity) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("saga", identity.namespace());
        query.put("scope", identity.scope());
        query.put("id", identity.key());
        return visit.link(NAME + "/" + act, query);
    }

    private static ConsolePage page(AuthenticatedRequest visit, SagaView view) {
        return ConsolePage.of(
                view.identity().key(),
                HtmlTables.facts(List.of(
                        new HtmlTables.Fact(
                                "Saga", SafeHtml.text(view.identity().namespace())),
                        new HtmlTables.Fact(
                                "State", HtmlTables.state(view.state().name())),
                        new HtmlTables.Fact("Status", SafeHtml.text(lowerCase(view.status()))),
                        new HtmlTables.Fact(
                                "Key",
                                HtmlTables.link(
                                        KeyDetailSection.link(
                                                visit,
                                                "key",
                                                Optional.of(view.identity()),
                                                view.claim().id()),
                                        "timeline and contents")))),
                SafeHtml.element("h2").content("Steps"),
                HtmlTables.of(
                        List.of("Step", "Status", "Reason"),
                        view.steps().stream()
                                .map(step -> List.of(
                                        HtmlTables.code(step.name()),
                                        SafeHtml.text(lowerCase(step.status())),
                                        SafeHtml.text(step.reason().orElse(""))))
                                .toList()),
                needsDecision(view)
                        ? decide(visit, view)
                        : view.canBeCompensated() ? decideAtStep(visit, view) : SafeHtml.NOTHING);
    }

    private static SafeHtml decide(AuthenticatedRequest visit, SagaView view) {
        var seen = RecordActionForms.seenClaimField(view.claim());
        return SafeHtml.concat(
                SafeHtml.element("h2").content("Decide"),
                SafeHtml.element("div")
                        .with("class", "acts")
                        .content(
                                visit.form(
                                        place(visit, "saga/retry", view.identity()),
                                        seen,
                                        SafeHtml.element("h3").content("Retry the compensation"),
                                        SafeHtml.element("p")
                                                .content(
                                                        "The next run of the saga, for example by the completer, tries again."),
                                        HtmlFormFields.reason("retry-reason"),
                                        HtmlFormFields.button("Retry")),
                                visit.form(
                                        place(visit, "saga/give-up", view.identity()),
                                        seen,
                                        SafeHtml.element("h3").content("Abandon the compensation"),
                                        SafeHtml.element("p")
                                                .content(
                                                        "Ends the saga. Steps that could not be undone stay as they are."),
                                        HtmlFormFields.reason("give-up-reason"),
                                        HtmlFormFields.button("Abandon"))));
    }

    private static SafeHtml decideAtStep(AuthenticatedRequest visit, SagaView view) {
        return SafeHtml.concat(
                SafeHtml.element("h2").content("Decide"),
                SafeHtml.element("div")
                        .with("class", "acts")
                        .content(visit.form(
                                place(visit, "saga/compensate", view.identity()),
                                RecordActionForms.seenClaimField(view.claim()),
                                SafeHtml.element("h3").content("Compensate"),
                                SafeHtml.element("p")
                                        .content(
                                                "Counts the next step as failed, gives up its job, and has the next run of the saga undo the "
                                                        + "steps before it. To let the saga continue instead, release its key."),
                                HtmlFormFields.reason("compensate-reason"),
                                HtmlFormFields.button("Compensate"))));
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    }
}
