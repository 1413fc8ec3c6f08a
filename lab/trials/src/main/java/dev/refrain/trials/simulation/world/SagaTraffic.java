package dev.refrain.trials.simulation.world;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Outcome;
import dev.refrain.saga.Saga;
import dev.refrain.saga.SagaView;
import dev.refrain.saga.SagaView.StepStatus;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.StoreException;
import dev.refrain.trials.simulation.law.SimulationEvent;
import dev.refrain.trials.simulation.machine.SeededRandom;
import java.time.Duration;
import java.util.Optional;

/** Clients that order, and the person on call, who decides on sagas and dead letters until the world ends. */
final class SagaTraffic {

    private static final int PAGE = 20;
    private static final String WHO = "on call";

    /** Time before the end from which on nobody decides any more. */
    private static final Duration TO_LOOK = Duration.ofMinutes(3);

    /** Time after the last fault for which a person still hopes that a lost job comes to an end by itself. */
    private static final Duration TO_HOPE = Duration.ofMinutes(4);

    private final SimulatedWorld world;
    private final SeededRandom chance;

    SagaTraffic(SimulatedWorld world, SeededRandom chance) {
        this.world = world;
        this.chance = chance;
    }

    /** Orders again and again, under few ids, at any process. */
    void order() {
        var plan = world.plan();
        for (int i = 0; i < plan.callsPerAct() * 2; i++) {
            world.outside().sleep(chance.upTo(Duration.ofSeconds(chance.oneIn(3) ? 20 : 4)));
            String id = chance.pick(plan.sagas().orElseThrow().orders()).key();
            anywhere().ifPresent(p -> p.domain().start("order", () -> p.sagas().run(id)));
        }
    }

    void decide() {
        var until = world.plan().end().minus(TO_LOOK);
        while (world.age().compareTo(until) < 0) {
            world.outside().sleep(chance.between(Duration.ofSeconds(5), Duration.ofSeconds(25)));
            anywhere().ifPresent(p -> p.domain().start(WHO, () -> decide(p)));
        }
        world.sleepUntil(world.plan().end().minus(Duration.ofSeconds(10)));
        anywhere().ifPresent(p -> p.domain().start("look", () -> look(p.sagas())));
    }

    private Optional<SimulatedProcess> anywhere() {
        return chance.pick(world.nodes()).process();
    }

    private void decide(SimulatedProcess process) {
        var sagas = process.sagas();
        try {
            for (var letter : sagas.outbox().deadLetters(PAGE)) {
                switch (chance.below(4)) {
                    case 0 -> sagas.outbox().resend(letter.id(), WHO, "The printer is mended.");
                    case 1 -> sagas.outbox().discard(letter.id(), WHO, "Nobody wants it.");
                    default -> {}
                }
            }
            for (var stuck : sagas.runner().stuck(sagas.saga(), PAGE)) {
                switch (chance.below(3)) {
                    case 0 -> sagas.runner().retry(stuck, WHO, "The cause is gone.");
                    case 1 -> sagas.runner().abandonCompensation(stuck, WHO, "It stays as it is.");
                    default -> {}
                }
            }
            for (var waiting : sagas.runner().waitingAtStep(sagas.saga(), PAGE)) {
                decide(process, sagas.saga(), waiting);
            }
            undecided(process);
        } catch (StoreException away) {
            process.domain().trace(() -> "a person tries again later: " + away);
        } catch (Exception failed) {
            process.domain().trace(() -> "a person failed: " + failed);
        }
    }

    /** Has most of them compensated. One that waits for its job may as well be released: no call is on its way there. */
    private void decide(SimulatedProcess process, Saga<?, SimulatedDatabase.Bookings> saga, SagaView waiting)
            throws Exception {
        boolean atJob = waiting.steps().stream()
                .anyMatch(step -> step.name().equals(SimulatedLabelJob.NAME) && step.status() == StepStatus.NEXT);
        boolean hopeful = world.age().compareTo(world.plan().calmFrom().plus(TO_HOPE)) < 0;
        if (atJob && hopeful && chance.oneIn(3)) {
            process.refrain().admin().release(waiting.claim(), WHO, "The job runs again.");
        } else if (!chance.oneIn(4)) {
            process.sagas().runner().compensate(saga, waiting, WHO, "Nobody wants it any more.");
        }
    }

    /** Lets sagas continue whose completer gave up in the middle of their compensations, and decides on jobs. */
    private void undecided(SimulatedProcess process) {
        var sagas = process.sagas();
        for (var item : process.refrain().admin().listAttention(PAGE)) {
            if (item.identity().namespace().equals(SimulatedLabelJob.NAME)) {
                decideOnJob(process, item);
                continue;
            }
            sagas.runner()
                    .find(
                            sagas.saga(),
                            ClientKey.scope(item.identity().scope())
                                    .key(item.identity().key()))
                    .filter(view -> view.claim().equals(item.claim()) && view.status() == SagaView.Status.COMPENSATING)
                    .ifPresent(view -> goOn(process, item.claim()));
        }
    }

    /** Looks whether the label was printed, once no request can be on its way any more; or ends the job, because nobody wants the label. */
    private void decideOnJob(SimulatedProcess process, AttentionItem item) {
        var admin = process.refrain().admin();
        String key = item.identity().key();
        if (!world.printer().isQuiet(key) || chance.oneIn(4)) {
            return;
        }
        if (chance.oneIn(3)) {
            admin.resolveAsFailed(item.claim(), WHO, "Nobody wants it any more.");
        } else if (world.printer().find(key).isPresent()) {
            var printed = process.refrain().codec().encode("printed");
            admin.resolve(item.claim(), Outcome.Answer.of(200, printed), WHO, "It lies in the tray.");
        } else {
            admin.release(item.claim(), WHO, "The tray is empty.");
        }
    }

    /** Releases every other one, as the manual says; by its fence, so that the other choices of a world stay the same. */
    private static void goOn(SimulatedProcess process, ClaimRef seen) {
        var admin = process.refrain().admin();
        if (seen.fence() % 2 == 0) {
            admin.release(seen, WHO, "The cause is gone.");
        } else {
            admin.resume(seen, WHO, "Go on.");
        }
    }

    private void look(SimulatedSagas sagas) {
        for (var order : world.plan().sagas().orElseThrow().orders()) {
            sagas.runner()
                    .find(sagas.saga(), ClientKey.scope(order.scope()).key(order.key()))
                    .ifPresent(view -> world.law().check(new SimulationEvent.SagaSeen(view)));
        }
    }
}
