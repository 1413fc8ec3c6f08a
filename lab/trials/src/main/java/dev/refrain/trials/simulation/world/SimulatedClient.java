package dev.refrain.trials.simulation.world;

import dev.refrain.OperationCall;
import dev.refrain.api.OperationResult;
import dev.refrain.api.ScopedKey;
import dev.refrain.trials.simulation.law.ClientAttempt;
import dev.refrain.trials.simulation.law.ObservedEnding;
import dev.refrain.trials.simulation.machine.SeededRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Client that calls, times out and retries: under the same key, and now and then with another request. */
final class SimulatedClient {

    private static final int ATTEMPTS = 4;
    private static final Duration BELL = Duration.ofSeconds(7);

    private final SimulatedWorld world;
    private final SeededRandom chance;

    SimulatedClient(SimulatedWorld world, SeededRandom chance) {
        this.world = world;
        this.chance = chance;
    }

    void live() {
        for (var act : world.plan().acts()) {
            var length = act.until().minus(act.from());
            world.sleepUntil(act.from().plus(chance.upTo(length.dividedBy(2))));
            for (int i = 0; i < world.plan().callsPerAct(); i++) {
                waitForTheBell();
                callUntilAnswered();
                world.outside().sleep(chance.upTo(Duration.ofSeconds(chance.oneIn(3) ? 15 : 1)));
            }
        }
    }

    /** Synchronises half of the calls, so that duplicates race and batches have more than one row. */
    private void waitForTheBell() {
        if (chance.oneIn(2)) {
            long past = world.age().toNanos() % BELL.toNanos();
            world.outside().sleep(BELL.minusNanos(past).plus(chance.upTo(Duration.ofMillis(10))));
        }
    }

    private void callUntilAnswered() {
        var plan = world.plan();
        var service = chance.pick(plan.services());
        var identity = new ScopedKey(chance.pick(plan.scopes()), service.name(), chance.pick(plan.keys()));
        var request = chance.oneIn(8) ? "other" : "usual";
        int attempts = chance.between(1, ATTEMPTS);
        for (int i = 0; i < attempts; i++) {
            var ending = call(service, identity, request);
            if (ending.filter(SimulatedClient::isAnswer).isPresent()) {
                return;
            }
            world.outside().sleep(chance.upTo(Duration.ofSeconds(2)));
        }
    }

    private Optional<ObservedEnding> call(SimulatedOperation service, ScopedKey identity, String request) {
        var process = chance.pick(world.nodes()).process();
        if (process.isEmpty()) {
            return Optional.empty();
        }
        var attempt = new ClientAttempt(
                world.nextNumber(),
                process.get().domain().name(),
                identity,
                service.takeOver(),
                chance.pick(service.modes()),
                request,
                service.terms(),
                world.clock().instant(),
                world.scheduler().now());
        var call = OperationCall.scope(identity.scope()).key(identity.key()).request(request);
        var ending = new CompletableFuture<Optional<ObservedEnding>>();
        process.get().serve(service, call, attempt, e -> ending.complete(Optional.of(e)));
        var patience = chance.upTo(Duration.ofSeconds(chance.oneIn(3) ? 40 : 4));
        world.outside().after(patience, () -> ending.complete(Optional.empty()));
        return ending.join();
    }

    private static boolean isAnswer(ObservedEnding ending) {
        return ending instanceof ObservedEnding.Result result
                && (result.result() instanceof OperationResult.Replayed
                        || (result.result() instanceof OperationResult.Ran ran
                                && ran.answer().status() < 500));
    }
}
