package dev.refrain.trials.upgrades;

import static dev.refrain.trials.upgrades.FrozenShop.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.refrain.observe.RefrainEvent;
import dev.refrain.saga.SagaResult;
import dev.refrain.store.RecordState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Flows and sagas of older versions go on where they stood. */
@ParameterizedClass
@MethodSource("dumps")
class OldFlowsTest extends OldDataTestBase {

    @Test
    void flowGoesOnAtItsRecoveryPoint() throws Exception {
        open(TEN_MINUTES);
        var keys = shop.honoured("orders.keys");
        goesOn(keys, "at-charged", List.of(), "orders.keys charged");
        goesOn(keys, "sent-arrived", List.of(ordered("sent-arrived")), "orders.keys charged");
        goesOn(keys, "sent-lost", List.of(ordered("sent-lost")), "orders.keys charged");
        goesOn(keys, "not-sent", List.of(ordered("not-sent")), "orders.keys charged");
        goesOn(keys, "at-start", List.of(ordered("at-start")), "orders.keys started", "orders.keys charged");
        goesOn(shop.finishingFirst("orders.versions"), "version-kept", List.of(), "orders.versions charged");
        assertThat(shop.bank.asked()).isEmpty();
        goesOn(shop.askable(), "asked-arrived", List.of(), "orders.asked charged");
        assertThat(shop.bank.asked()).containsExactly(ordered("asked-arrived"));
        goesOn(shop.askable(), "asked-lost", List.of(ordered("asked-lost")), "orders.asked charged");
        assertThat(shop.bank.asked()).containsExactly(ordered("asked-arrived"), ordered("asked-lost"));
    }

    @Test
    void callWhoseKeyMayBeForgottenIsNotSentAgain() throws Exception {
        open(Duration.ofHours(30));
        var keys = shop.honoured("orders.keys");

        undecided(shop.flows.runForResult(keys, order("sent-arrived")));
        undecided(shop.flows.runForResult(keys, order("sent-lost")));
        goesOn(keys, "at-charged", List.of(), "orders.keys charged");
        goesOn(keys, "not-sent", List.of(ordered("not-sent")), "orders.keys charged");
        assertThat(shop.bank.sent()).containsExactly(ordered("not-sent"));
    }

    @Test
    void flowsThatWaitForADecisionAreNotRun() throws Exception {
        open(TEN_MINUTES);
        undecided(shop.flows.runForResult(shop.blind(), order("blind-arrived")));
        undecided(shop.flows.runForResult(shop.blind(), order("blind-lost")));
        undecided(shop.flows.runForResult(shop.honoured("orders.worn"), order("worn-out")));
        undecided(shop.flows.runForResult(shop.secondVersion("orders.versions"), order("version-gone")));
        assertThat(shop.bank.sent()).isEmpty();
        assertThat(shop.notes).isEmpty();

        shop.refrain.admin().release(waiting("worn-out").claim(), "ann", "the bank is back");
        shop.refrain.admin().release(waiting("version-gone").claim(), "ann", "version 1 is back");
        goesOn(shop.honoured("orders.worn"), "worn-out", List.of(ordered("worn-out")), "orders.worn charged");
        goesOn(shop.honoured("orders.versions"), "version-gone", List.of(), "orders.versions charged");
    }

    @Test
    void abandonedFlowIsFinishedOnceByACompleter() throws Exception {
        open(TEN_MINUTES);
        var left = shop.honoured("orders.left");
        var keys = List.of("taken-up", "left-at-call", "left-in-phase");
        try (var completer = shop.flows.startCompleter(completion(), List.of(left))) {
            await(() -> assertThat(keys)
                    .allMatch(key -> shop.record("orders.left", key).state().equals(RecordState.COMPLETED)));
        }

        assertThat(shop.events.stream()
                        .filter(RefrainEvent.CompletionAttempted.class::isInstance)
                        .map(RefrainEvent.CompletionAttempted.class::cast))
                .extracting(event -> event.id().toString(), RefrainEvent.CompletionAttempted::attempt)
                .containsExactlyInAnyOrder(
                        tuple(fact("taken-up.id"), 2),
                        tuple(fact("left-at-call.id"), 1),
                        tuple(fact("left-in-phase.id"), 1));
        assertThat(shop.bank.sent()).containsExactlyInAnyOrder(ordered("taken-up"), ordered("left-at-call"));
        assertThat(shop.notes).hasSize(3).containsOnly("orders.left charged order of a book for ann");
        for (String key : keys) {
            var answer = replayed(shop.flows.runForResult(left, order(key)));
            assertThat(text(answer)).contains("\"" + fact("bank." + ordered(key)) + "\"");
        }
    }

    @Test
    void sagaGoesOnWhereItStood() throws Exception {
        open(TEN_MINUTES);
        assertThat(shop.sagas.runForResult(shop.placing(), order("saga-done")))
                .isInstanceOfSatisfying(
                        SagaResult.Completed.class,
                        done -> assertThat(done.result("ship", String.class)).isEqualTo("nr-1"));
        compensated(shop.sagas.runForResult(shop.placing(), order("saga-undone")), Map.of());

        assertThat(shop.sagas.runForResult(shop.placing(), order("saga-middle")))
                .isInstanceOfSatisfying(
                        SagaResult.Completed.class,
                        done -> assertThat(done.result("charge", String.class))
                                .isEqualTo(fact("bank." + fact("saga-middle.key.charge"))));

        assertThat(shop.carrier.asked()).containsExactly(fact("saga-middle.key.ship"));
        assertThat(shop.carrier.sent()).containsExactly(fact("saga-middle.key.ship"));
        assertThat(shop.bank.sent()).isEmpty();
        assertThat(shop.notes).isEmpty();
    }

    @Test
    void sagaIsUndoneFromWhereItStood() throws Exception {
        open(TEN_MINUTES);
        var undoing = shop.sagas.runForResult(shop.placing(), order("saga-undoing"));
        assertThat(shop.bank.undone()).containsExactly(fact("saga-undoing.key.charge"));
        assertThat(shop.notes)
                .containsExactly(
                        "refund under " + fact("saga-undoing.key.undo.charge"),
                        "put back " + fact("saga-undoing.key.reserve"));
        var puttingBack = shop.sagas.runForResult(shop.placing(), order("saga-putting-back"));
        assertThat(shop.bank.undone()).hasSize(1);
        assertThat(shop.notes).hasSize(3).endsWith("put back " + fact("saga-putting-back.key.reserve"));

        for (var result : List.of(undoing, puttingBack)) {
            compensated(result, Map.of());
        }
        assertThat(shop.carrier.sent()).isEmpty();
        assertThat(shop.bank.sent()).isEmpty();
    }

    @Test
    void stuckSagaIsRetriedWhenSomebodySaysSo() throws Exception {
        open(TEN_MINUTES);
        stuckSagaIsListed();
        shop.sagas.retry(shop.sagas.stuck(shop.placing(), 10).getFirst(), "ann", "the account is open");

        compensated(shop.sagas.runForResult(shop.placing(), order("saga-stuck")), Map.of());
        assertThat(shop.notes).containsExactly("refund under " + fact("saga-stuck.key.undo.charge"));
        assertThat(shop.bank.undone()).containsExactly(fact("saga-stuck.key.charge"));
    }

    @Test
    void stuckSagaIsGivenUpWhenSomebodySaysSo() throws Exception {
        open(TEN_MINUTES);
        stuckSagaIsListed();
        shop.sagas.abandonCompensation(shop.sagas.stuck(shop.placing(), 10).getFirst(), "ann", "let it be");

        compensated(shop.sagas.runForResult(shop.placing(), order("saga-stuck")), Map.of("charge", DEAD_LINE));
        assertThat(shop.notes).isEmpty();
    }

    private static final String DEAD_LINE = "java.lang.IllegalStateException: The line is dead.";

    private void stuckSagaIsListed() throws Exception {
        assertThat(shop.sagas.runForResult(shop.placing(), order("saga-stuck"))).isInstanceOf(SagaResult.Stuck.class);
        assertThat(shop.sagas.stuck(shop.placing(), 10)).singleElement().satisfies(stuck -> {
            assertThat(stuck.result().failedCompensations()).isEqualTo(Map.of("charge", DEAD_LINE));
            assertThat(stuck.result().compensatedSteps()).containsExactly("reserve");
        });
        assertThat(shop.notes).isEmpty();
    }

    private static void compensated(SagaResult result, Map<String, String> givenUp) {
        assertThat(result).isInstanceOfSatisfying(SagaResult.Compensated.class, end -> {
            assertThat(end.failure().step()).isEqualTo("ship");
            assertThat(end.failure().reason()).isEqualTo("address unknown");
            assertThat(end.abandonedCompensations()).isEqualTo(givenUp);
        });
    }
}
