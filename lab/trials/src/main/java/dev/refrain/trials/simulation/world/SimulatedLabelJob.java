package dev.refrain.trials.simulation.world;

import dev.refrain.api.Claim;
import dev.refrain.api.ClientKey;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.NotSentException;
import dev.refrain.api.RecordId;
import dev.refrain.outbox.jobs.JobResult;
import dev.refrain.outbox.jobs.KeyedJob;
import dev.refrain.outbox.jobs.KeyedJobQueue;
import dev.refrain.saga.Saga;
import dev.refrain.saga.SagaStepContext;
import dev.refrain.saga.StepFailedException;
import dev.refrain.saga.StepOutcomeUnknownException;
import dev.refrain.trials.simulation.law.SimulationEvent;
import dev.refrain.trials.simulation.machine.SeededRandom;
import dev.refrain.trials.simulation.world.SimulatedWork.WorkFailed;
import dev.refrain.trials.simulation.world.SimulationMutation.JobLookupMutation;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * Job that prints the label of a saga. In a transaction it fails until it is a dead letter; leased, it calls a printer that knows no keys, so
 * that it fails for good or needs attention.
 */
final class SimulatedLabelJob {

    static final String NAME = "label";

    /** Longer than a job's lease: what began undisturbed for this long began within it. */
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(40);

    private final SimulatedWorld world;
    private final SimulatedProcess process;
    private final SeededRandom chance;
    private final SagaPlan.JobKind kind;
    private final KeyedJobQueue<SimulatedDatabase.Bookings> queue;
    private final KeyedJob<String, String, SimulatedDatabase.Bookings> job;

    SimulatedLabelJob(
            SimulatedWorld world,
            SimulatedProcess process,
            SeededRandom chance,
            SagaPlan.JobKind kind,
            KeyedJobQueue<SimulatedDatabase.Bookings> queue) {
        this.world = world;
        this.process = process;
        this.chance = chance;
        this.kind = kind;
        this.queue = queue;
        job = kind == SagaPlan.JobKind.TRANSACTIONAL
                ? KeyedJob.transactional(NAME, String.class, String.class, SimulatedDatabase.Bookings.class, this::book)
                : leased(KeyedJob.leased(NAME, String.class, String.class, LeaseExpiryPolicy.HOLD, this::print));
    }

    /** A leased job uses no connection, even if its type has one. */
    @SuppressWarnings("unchecked")
    private static KeyedJob<String, String, SimulatedDatabase.Bookings> leased(KeyedJob<String, String, ?> made) {
        return (KeyedJob<String, String, SimulatedDatabase.Bookings>) made;
    }

    KeyedJob<String, String, SimulatedDatabase.Bookings> job() {
        return job;
    }

    /** Adds the step to a saga. */
    Saga.Builder<String, SimulatedDatabase.Bookings> addTo(
            Saga.Builder<String, SimulatedDatabase.Bookings> saga,
            Saga.Compensation<String, SimulatedDatabase.Bookings> undo) {
        return switch (kind) {
            case TRANSACTIONAL -> saga.job(NAME, queue, job, SimulatedLabelJob::payload, undo);
            case LEASED -> saga.job(NAME, queue, job, SimulatedLabelJob::payload, callingOff(undo));
            case OF_ANOTHER_QUEUE ->
                saga.job(
                        NAME,
                        (tx, at) -> queue.enqueue(tx, job, key(at), payload(at)),
                        (tx, at) -> lookUp(at),
                        callingOff(undo));
        };
    }

    private static String payload(SagaStepContext<String> at) {
        return at.recordId().toString();
    }

    private static ClientKey key(SagaStepContext<String> at) {
        return ClientKey.scope(at.scope()).key(at.key());
    }

    /** The printer refuses a label that was called off and arrives later, as the compensation of a call must have it do. */
    private Saga.Compensation<String, SimulatedDatabase.Bookings> callingOff(
            Saga.Compensation<String, SimulatedDatabase.Bookings> undo) {
        return (tx, at) -> {
            undo.run(tx, at);
            tx.add(() -> world.printer().refuse(at.stepKey()));
        };
    }

    /** The lookup of a queue that a saga knows nothing of, which cannot tell what a failed job did before. */
    private Optional<String> lookUp(SagaStepContext<String> at) throws Exception {
        return switch (queue.result(job, key(at))) {
            case JobResult.Done<String> done -> Optional.of(String.valueOf(done.value()));
            case JobResult.Failed<String> failed -> throw inDoubt(failed.message());
            case JobResult.Dead<String> dead -> throw inDoubt(dead.message());
            case JobResult.Unknown<String> unknown -> {
                if (world.tampering().jobs() == JobLookupMutation.UNKNOWN_IS_FAILED) {
                    throw new StepFailedException("nobody knows");
                }
                yield Optional.empty();
            }
            case JobResult.Running<String> running -> Optional.empty();
            case JobResult.NotStarted<String> waiting -> Optional.empty();
        };
    }

    private Exception inDoubt(String why) {
        return world.tampering().jobs() == JobLookupMutation.DOUBT_IS_FORGOTTEN
                ? new StepFailedException(why)
                : new StepOutcomeUnknownException(why);
    }

    private String book(SimulatedDatabase.Bookings tx, String about) throws Exception {
        var id = new RecordId(UUID.fromString(about));
        process.domain().nap(chance.upTo(Duration.ofMillis(chance.oneIn(8) ? 4_000 : 10)));
        tx.insert(NAME, id);
        boolean hopeless = SimulatedSagas.failsForGood(id, NAME, 3) && !chance.oneIn(8);
        if (hopeless || chance.oneIn(10)) {
            throw new WorkFailed("in a job");
        }
        return "printed";
    }

    private String print(Claim claim, String about) throws Exception {
        var id = new RecordId(UUID.fromString(about));
        if (kind == SagaPlan.JobKind.LEASED) {
            world.law().check(new SimulationEvent.JobBegan(id, process.domain().smoothFor(LONG_ENOUGH)));
        }
        process.domain().nap(chance.upTo(Duration.ofMillis(chance.oneIn(8) ? 4_000 : 10)));
        if (SimulatedSagas.failsForGood(id, NAME, 4)) {
            throw new WorkFailed("before it printed");
        }
        if (send(id).equals(SimulatedDownstream.DECLINED)) {
            throw new WorkFailed("because it was called off");
        }
        return switch (chance.below(8)) {
            case 0 -> throw new WorkFailed("after it had printed");
            case 1, 2 -> throw new EffectUnknownException("The printer reported nothing.", null);
            default -> "printed";
        };
    }

    private String send(RecordId saga) throws Exception {
        try {
            return world.printer().send(process.foreign(), process.domain(), saga, saga.keyFor(NAME));
        } catch (NotSentException nothingHappened) {
            throw nothingHappened;
        } catch (IOException lost) {
            if (chance.oneIn(2)) {
                throw new EffectUnknownException("The printer did not answer.", lost);
            }
            throw lost;
        }
    }
}
