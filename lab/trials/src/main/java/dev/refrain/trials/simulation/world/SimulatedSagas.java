package dev.refrain.trials.simulation.world;

import dev.refrain.Refrain;
import dev.refrain.api.ClientKey;
import dev.refrain.api.RecordId;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.FlowRunner;
import dev.refrain.outbox.DeliveryBackoff;
import dev.refrain.outbox.Outbox;
import dev.refrain.outbox.Relay;
import dev.refrain.outbox.TopicSettings;
import dev.refrain.outbox.jobs.KeyedJob;
import dev.refrain.outbox.jobs.KeyedJobQueue;
import dev.refrain.saga.CompensationContext;
import dev.refrain.saga.Saga;
import dev.refrain.saga.SagaRunner;
import dev.refrain.saga.SagaStepContext;
import dev.refrain.saga.StepFailedException;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.trials.simulation.law.SimulationEvent;
import dev.refrain.trials.simulation.machine.SeededRandom;
import dev.refrain.trials.simulation.world.SimulatedWork.WorkFailed;
import java.time.Duration;
import java.util.List;

/**
 * Sagas of one process: a reservation, a charge, a label that a job prints, and a last step. Some steps fail for good, so that the others are
 * undone; some compensations do too, so that a person has to decide.
 */
final class SimulatedSagas {

    static final String CHARGE = "charge";

    private static final String RESERVE = "reserve";
    private static final String FINISH = "finish";
    private static final int JOB_ATTEMPTS = 3;
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final DeliveryBackoff BACKOFF = new DeliveryBackoff(Duration.ofSeconds(1), Duration.ofSeconds(4));

    private final SimulatedWorld world;
    private final SimulatedProcess process;
    private final SeededRandom chance;
    private final SagaPlan plan;
    private final SimulatedDownstream bank;
    private final Saga<String, SimulatedDatabase.Bookings> saga;
    private final SagaRunner<SimulatedDatabase.Bookings> runner;
    private final Outbox<SimulatedDatabase.Bookings> outbox;
    private final Relay relay;

    SimulatedSagas(
            SimulatedWorld world,
            SimulatedProcess process,
            SeededRandom chance,
            Refrain refrain,
            FlowRunner<SimulatedDatabase.Bookings> flows) {
        this.world = world;
        this.process = process;
        this.chance = chance;
        plan = world.plan().sagas().orElseThrow();
        bank = world.sagaBank();
        OutboxStore<SimulatedDatabase.Bookings> store = world.tampering()
                .outbox()
                .over(new SimulatedOutbox(world.database(), process.line(), process.domain()));
        outbox = Outbox.on(refrain, store);
        var jobs = KeyedJobQueue.on(refrain, flows.transactions(), store);
        var label = new SimulatedLabelJob(world, process, chance, plan.jobs(), jobs);
        saga = saga(label);
        runner = SagaRunner.on(flows);
        relay = jobs.registerOn(Relay.on(refrain, store), label.job(), topic(label.job()))
                .pollInterval(chance.between(Duration.ofSeconds(10), Duration.ofSeconds(60)))
                .start();
        flows.startCompleter(world.plan().completion(), List.of(saga.asFlow()));
    }

    private Saga<String, SimulatedDatabase.Bookings> saga(SimulatedLabelJob label) {
        var nature = bank.nature();
        var offer = world.tampering().declared().apply(nature.offer());
        var begun = Saga.of(SagaPlan.NAME, String.class, SimulatedDatabase.Bookings.class)
                .retries(2, PAUSE)
                .compensationRetries(2, PAUSE)
                .callTimeout(nature.within())
                .step(RESERVE, (tx, at) -> commit(tx, RESERVE, at), (tx, at) -> undo(tx, RESERVE, at))
                .foreignCall(
                        CHARGE,
                        nature.downstream(
                                offer,
                                call -> bank.lookUp(process.foreign(), call.key())
                                        .map(SimulatedSagas::accepted)),
                        this::charge,
                        this::refund);
        return label.addTo(begun, (tx, at) -> undo(tx, SimulatedLabelJob.NAME, at))
                .step(FINISH, (tx, at) -> commit(tx, FINISH, at))
                .build();
    }

    private TopicSettings topic(KeyedJob<?, ?, ?> label) {
        return TopicSettings.of(KeyedJobQueue.topic(label))
                .maxAttempts(JOB_ATTEMPTS)
                .backoff(BACKOFF)
                .timeout(Duration.ofSeconds(5))
                .lease(chance.between(Duration.ofSeconds(7), Duration.ofSeconds(20)));
    }

    Saga<String, SimulatedDatabase.Bookings> saga() {
        return saga;
    }

    SagaRunner<SimulatedDatabase.Bookings> runner() {
        return runner;
    }

    Outbox<SimulatedDatabase.Bookings> outbox() {
        return outbox;
    }

    /** Runs a saga for a client, which may be gone before it ends. */
    void run(String id) {
        try {
            var result = runner.runForResult(
                    saga, FlowRequest.of(ClientKey.scope(SagaPlan.SCOPE).key(id), "usual"), plan.lease());
            process.domain().trace(() -> id + " ends: " + result.getClass().getSimpleName());
        } catch (Exception failure) {
            process.domain().trace(() -> id + " fails: " + failure);
        }
    }

    void close(Duration toFinish) {
        relay.close(toFinish);
    }

    private String commit(SimulatedDatabase.Bookings tx, String step, SagaStepContext<String> at) throws Exception {
        tx.insert(step, at.recordId());
        dawdle();
        if (step.equals(FINISH) && failsForGood(at.recordId(), step, 3)) {
            throw new StepFailedException("The parcel is too large.");
        }
        return step;
    }

    private void undo(SimulatedDatabase.Bookings tx, String step, CompensationContext<String> at) throws Exception {
        try {
            tx.insert(SimulationEvent.Inserted.UNDO + step, at.recordId());
            dawdle();
            if (failsForGood(at.recordId(), SimulationEvent.Inserted.UNDO + step, 6)) {
                throw new StepFailedException("It cannot be undone.");
            }
        } catch (SimulatedPhase.LostRace race) {
            throw race;
        } catch (Exception failed) {
            world.law().check(new SimulationEvent.UndoFailed(at.recordId(), step));
            throw failed;
        }
    }

    private String charge(SagaStepContext<String> call) throws Exception {
        return accepted(bank.send(process.foreign(), process.domain(), call.recordId(), call.key()));
    }

    private static String accepted(String answer) {
        if (answer.equals(SimulatedDownstream.DECLINED)) {
            throw new StepFailedException("The card is declined.");
        }
        return answer;
    }

    private void refund(CompensationContext<String> call) throws Exception {
        try {
            bank.undo(process.foreign(), call.recordId(), call.stepKey());
        } catch (Exception failed) {
            world.law().check(new SimulationEvent.UndoFailed(call.recordId(), CHARGE));
            throw failed;
        }
    }

    /** Returns whether a step fails whenever it is tried. */
    static boolean failsForGood(RecordId about, String step, int oneOf) {
        return Math.floorMod((about + step).hashCode(), oneOf) == 0;
    }

    private void dawdle() throws WorkFailed, InterruptedException {
        process.domain().nap(chance.upTo(Duration.ofMillis(chance.oneIn(4) ? 4_000 : 20)));
        switch (chance.below(40)) {
            case 0 -> throw new WorkFailed("in a step");
            case 1, 2 -> throw new SimulatedPhase.LostRace();
            default -> {}
        }
    }
}
