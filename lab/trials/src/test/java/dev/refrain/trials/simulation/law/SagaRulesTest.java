package dev.refrain.trials.simulation.law;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.saga.SagaView;
import dev.refrain.saga.SagaView.Status;
import dev.refrain.saga.SagaView.StepStatus;
import dev.refrain.store.RecordState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Each clause of the rules of sagas, by a history that keeps it and one that breaks it. */
class SagaRulesTest {

    private static final RecordId SAGA = new RecordId(new UUID(1, 2));

    @Test
    void completedSagaDidEveryStepAndUndidNone() {
        assertThat(broken(Status.COMPLETED, "reserve", "charge", "label", "finish"))
                .isEmpty();
        assertThat(broken(Status.COMPLETED, "reserve", "label", "finish")).hasSize(1);
        assertThat(broken(Status.COMPLETED, "reserve", "charge", "label", "finish", "undo charge"))
                .hasSize(1);
    }

    @Test
    void compensatedSagaUndidEachStepInReverse() {
        assertThat(broken(Status.COMPENSATED, "reserve", "charge", "undo charge", "undo reserve"))
                .isEmpty();
        assertThat(broken(Status.COMPENSATED, "reserve", "undo charge", "undo reserve"))
                .isEmpty();
        assertThat(broken(Status.COMPENSATED, "reserve", "charge", "undo reserve"))
                .singleElement()
                .asString()
                .contains("charge was not undone");
        assertThat(broken(Status.COMPENSATED, "reserve", "charge", "undo reserve", "undo charge"))
                .singleElement()
                .asString()
                .contains("not undone in reverse");
        assertThat(broken(Status.COMPENSATED, "undo reserve"))
                .singleElement()
                .asString()
                .contains("never happened");
        assertThat(broken(Status.COMPENSATED, "reserve", "finish", "undo reserve"))
                .singleElement()
                .asString()
                .contains("after its last step");
    }

    @Test
    void compensationThatFailedMayComeLaterOrBeAbandoned() {
        var rule = new SagaConsistencyRule();
        var broken = new ArrayList<String>();
        rule.on(new SimulationEvent.UndoFailed(SAGA, "charge"), broken::add);
        play(rule, broken, "reserve", "charge", "undo reserve", "undo charge");
        rule.on(new SimulationEvent.SagaSeen(view(Status.COMPENSATED, List.of())), broken::add);
        assertThat(broken).isEmpty();

        var abandoned = new SagaConsistencyRule();
        play(abandoned, broken, "reserve", "charge", "undo reserve");
        abandoned.on(
                new SimulationEvent.SagaSeen(view(
                        Status.COMPENSATED,
                        List.of(new SagaView.StepView("charge", StepStatus.NOT_UNDONE, Optional.of("no"))))),
                broken::add);
        assertThat(broken).isEmpty();
    }

    @Test
    void labelThatAPrinterPrintedIsAStepToo() {
        var rule = new SagaConsistencyRule();
        var broken = new ArrayList<String>();
        play(rule, broken, "reserve", "charge");
        rule.on(
                new SimulationEvent.Acted(
                        "printer", SimulatedGuarantee.LOOKUP, SimulationEvent.Acted.By.RELAY, SAGA, true),
                broken::add);
        play(rule, broken, "undo charge", "undo reserve");
        rule.on(new SimulationEvent.SagaSeen(view(Status.COMPENSATED, List.of())), broken::add);
        assertThat(broken).singleElement().asString().contains("label was not undone");
    }

    @Test
    void sagaThatDoesNotEndOrIsGoneIsNoticed() {
        assertThat(broken(Status.RUNNING, "reserve")).hasSize(1);
        var rule = new SagaConsistencyRule();
        var broken = new ArrayList<String>();
        play(rule, broken, "reserve");
        rule.on(new SimulationEvent.WorldEnded(Map.of(), List.of()), broken::add);
        assertThat(broken).singleElement().asString().contains("is gone");
    }

    @Test
    void jobDoesNotRunOnceItsSagaIsBeingUndone() {
        var broken = new ArrayList<String>();
        play(new GivenUpJobRule(), broken, "label", "undo label");
        assertThat(broken).isEmpty();
        play(new GivenUpJobRule(), broken, "undo reserve", "label");
        assertThat(broken).hasSize(1);

        var leased = new GivenUpJobRule();
        leased.on(new SimulationEvent.JobBegan(SAGA, true), broken::add);
        play(leased, broken, "undo reserve");
        leased.on(new SimulationEvent.JobBegan(SAGA, false), broken::add);
        assertThat(broken).as("began before, or was held up").hasSize(1);
        leased.on(new SimulationEvent.JobBegan(SAGA, true), broken::add);
        assertThat(broken).hasSize(2);
    }

    private static List<String> broken(Status status, String... history) {
        var rule = new SagaConsistencyRule();
        var broken = new ArrayList<String>();
        play(rule, broken, history);
        rule.on(new SimulationEvent.SagaSeen(view(status, List.of())), broken::add);
        return broken;
    }

    private static void play(InvariantRule rule, List<String> broken, String... history) {
        for (String row : history) {
            rule.on(new SimulationEvent.Inserted(row, SAGA), broken::add);
        }
    }

    private static SagaView view(Status status, List<SagaView.StepView> steps) {
        var identity = new ScopedKey("ann", "saga", "order0");
        return new SagaView(
                identity,
                new ClaimRef(identity.hash(), SAGA, 1),
                RecordState.COMPLETED,
                status,
                Optional.empty(),
                steps);
    }
}
