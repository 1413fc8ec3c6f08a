package dev.refrain.console;

import dev.refrain.flow.saga.Saga;
import dev.refrain.flow.saga.SagaResult;
import dev.refrain.flow.saga.SagaView;
import dev.refrain.flow.saga.SagaView.Course;
import dev.refrain.flow.saga.Sagas;
import dev.refrain.flow.saga.StuckSaga;
import dev.refrain.key.Identity;
import dev.refrain.store.State;
import dev.refrain.store.Unfinished;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sagas: those that have not ended, and one of them step by step. To be added where there are some; needs {@code refrain-flow}.
 *
 * {@snippet :
 * var console = Console.of(access, sections).and(new SagaSection<>(sagas, List.of(placeOrder)));
 * }
 *
 * @param <C> how a step reaches the database
 */
public final class SagaSection<C> implements Section {

    private static final String NAME = "sagas";
    private static final int LISTED = 200;

    private final Sagas<C> sagas;
    private final List<Saga<?, C>> known;

    public SagaSection(Sagas<C> sagas, List<? extends Saga<?, C>> known) {
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
    public Page get(Visit visit) {
        return switch (visit.subPath()) {
            case "" -> list(visit);
            case "saga" ->
                named(visit)
                        .flatMap(saga -> look(visit, saga))
                        .map(view -> page(visit, view))
                        .orElseGet(Page::notFound);
            default -> Page.notFound();
        };
    }

    @Override
    public Page post(Visit visit) {
        var saga = named(visit);
        var view = saga.flatMap(s -> look(visit, s)).filter(SagaSection::waits);
        var reason = visit.request().formField("reason");
        if (view.isEmpty()) {
            return Page.notFound();
        }
        if (reason.isEmpty()) {
            return Page.reasonMissing();
        }
        var stuck = new StuckSaga(
                view.get().identity(),
                Acts.seen(visit, view.get().claim()),
                java.time.Duration.ZERO,
                saga.get().outcomeRetention(),
                new SagaResult.Stuck(view.get().failure().orElseThrow(), List.of(), Map.of()));
        boolean done = switch (visit.subPath()) {
            case "saga/retry" -> sagas.retry(stuck, visit.user(), reason.get());
            case "saga/give-up" -> sagas.abandonCompensation(stuck, visit.user(), reason.get());
            default -> false;
        };
        return done ? Page.redirect(place(visit, "saga", view.get().identity())) : Page.conflict();
    }

    /** Only what could not be undone is decided here; other decisions are those of its key. */
    private static boolean waits(SagaView view) {
        return view.state() == State.ATTENTION
                && view.course() == Course.STUCK
                && view.failure().isPresent();
    }

    private Optional<Saga<?, C>> named(Visit visit) {
        return known.stream()
                .filter(saga -> visit.request()
                        .queryParameter("saga")
                        .filter(saga.asFlow().namespace()::equals)
                        .isPresent())
                .findFirst();
    }

    private Optional<SagaView> look(Visit visit, Saga<?, C> saga) {
        var query = visit.request().query();
        return sagas.find(saga, query.getOrDefault("scope", ""), query.getOrDefault("id", ""));
    }

    private Page list(Visit visit) {
        var parts = new ArrayList<Html>();
        known.forEach(saga -> parts.add(one(visit, saga)));
        return Page.of(title(), parts.toArray(Html[]::new));
    }

    private Html one(Visit visit, Saga<?, C> saga) {
        var open = sagas.unfinished(saga, LISTED);
        String least = open.size() == LISTED ? "at least " : "";
        long waiting = open.stream().filter(s -> s.state() == State.ATTENTION).count();
        long undoing = open.stream().filter(s -> course(s) != Course.RUNNING).count();
        long overdue = open.stream().filter(s -> isOverdue(saga, s)).count();
        return Html.concat(
                Html.element("h2").content(saga.name()),
                Tiles.of(List.of(
                        Tiles.tile("Not ended", least + open.size(), "running, put off or left", false),
                        Tiles.tile(
                                "Overdue",
                                least + overdue,
                                "longer than " + Times.brief(saga.overdueAfter()),
                                overdue > 0),
                        Tiles.tile("Compensating", least + undoing, "a step failed: it is being undone", false),
                        Tiles.tile("Attention", least + waiting, "wait for a decision", waiting > 0))),
                open.isEmpty()
                        ? Html.element("p").with("class", "told").content("All have ended.")
                        : Tables.of(
                                List.of("Age", "State", "Course", "Saga", "Scope", "Stands at", "Taken up"),
                                open.stream().map(s -> row(visit, saga, s)).toList()),
                Html.element("p")
                        .content(Tables.link(
                                visit.link(
                                        "keys",
                                        Map.of("operation", saga.asFlow().namespace(), "state", State.COMPLETED.name())),
                                "Those that have ended")));
    }

    private List<Html> row(Visit visit, Saga<?, C> saga, Unfinished open) {
        return List.of(
                Html.text(Times.brief(open.age()) + (isOverdue(saga, open) ? ", overdue" : "")),
                Tables.state(open.state().name()),
                Html.text(words(course(open))),
                Tables.link(
                        place(visit, "saga", open.identity()), open.identity().key()),
                Html.text(open.identity().scope()),
                open.recoveryPoint().map(KeyFacts::point).orElse(Html.text("its beginning")),
                Html.text(open.attempts() == 0 ? "" : open.attempts() + " times"));
    }

    private static Course course(Unfinished open) {
        return Course.at(open.recoveryPoint());
    }

    private static boolean isOverdue(Saga<?, ?> saga, Unfinished open) {
        return open.age().compareTo(saga.overdueAfter()) > 0;
    }

    private static String place(Visit visit, String act, Identity identity) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("saga", identity.namespace());
        query.put("scope", identity.scope());
        query.put("id", identity.key());
        return visit.link(NAME + "/" + act, query);
    }

    private static Page page(Visit visit, SagaView view) {
        return Page.of(
                view.identity().key(),
                Tables.facts(List.of(
                        new Tables.Fact("Saga", Html.text(view.identity().namespace())),
                        new Tables.Fact("State", Tables.state(view.state().name())),
                        new Tables.Fact("Course", Html.text(words(view.course()))),
                        new Tables.Fact(
                                "Its key",
                                Tables.link(
                                        OneKey.link(
                                                visit,
                                                "key",
                                                Optional.of(view.identity()),
                                                view.claim().id()),
                                        "timeline and contents")))),
                Html.element("h2").content("Steps"),
                Tables.of(
                        List.of("Step", "How far", "Why"),
                        view.steps().stream()
                                .map(step -> List.of(
                                        Tables.code(step.name()),
                                        Html.text(words(step.progress())),
                                        Html.text(step.why().orElse(""))))
                                .toList()),
                waits(view) ? decide(visit, view) : Html.NOTHING);
    }

    private static Html decide(Visit visit, SagaView view) {
        var seen = Acts.seen(view.claim());
        return Html.concat(
                Html.element("h2").content("Decide"),
                Html.element("div")
                        .with("class", "acts")
                        .content(
                                visit.form(
                                        place(visit, "saga/retry", view.identity()),
                                        seen,
                                        Html.element("h3").content("Try again to undo it"),
                                        Html.element("p")
                                                .content(
                                                        "Whoever runs the saga next, such as the completer, tries it once more."),
                                        Fields.reason("retry-reason"),
                                        Fields.button("Try again")),
                                visit.form(
                                        place(visit, "saga/give-up", view.identity()),
                                        seen,
                                        Html.element("h3").content("Leave it as it is"),
                                        Html.element("p")
                                                .content("The saga has then ended, undone but for what could not be."),
                                        Fields.reason("give-up-reason"),
                                        Fields.button("Give up"))));
    }

    private static String words(Enum<?> constant) {
        return constant.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    }
}
