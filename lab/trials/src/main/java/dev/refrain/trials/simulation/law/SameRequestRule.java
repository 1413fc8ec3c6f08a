package dev.refrain.trials.simulation.law;

import dev.refrain.api.OperationResult;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Invariant 6, and "mismatch is decided first": a record is run and replayed for one identity and one request only. */
final class SameRequestRule implements InvariantRule {

    private record Asked(ScopedKey identity, String request) {}

    private final Map<RecordId, Asked> first = new HashMap<>();
    private final Set<RecordId> erased = new HashSet<>();
    private final Map<ScopedKey, RecordId> current = new HashMap<>();
    private final Map<Integer, @Nullable RecordId> atBegin = new HashMap<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.Step step -> {
                if (step.erased()) {
                    erased.add(step.after().orElseThrow().record().id());
                }
                step.after()
                        .ifPresentOrElse(
                                seen -> current.put(
                                        step.identity(), seen.record().id()),
                                () -> current.remove(step.identity()));
            }
            case SimulationEvent.Began began -> {
                var attempt = began.run().attempt();
                var asked = new Asked(attempt.identity(), attempt.request());
                var made = first.putIfAbsent(began.run().id(), asked);
                if (made != null
                        && !made.equals(asked)
                        && !erased.contains(began.run().id())) {
                    broken.accept(began.run() + " began, but the record was made for " + made);
                }
            }
            case SimulationEvent.Called called ->
                atBegin.put(
                        called.attempt().number(), current.get(called.attempt().identity()));
            case SimulationEvent.Answered answered -> {
                if (answered.how() instanceof ObservedEnding.Result ended) {
                    check(answered.attempt(), ended.result(), broken);
                }
            }
            default -> {}
        }
    }

    private void check(ClientAttempt attempt, OperationResult result, Consumer<String> broken) {
        switch (result) {
            case OperationResult.Replayed replayed ->
                made(replayed.id())
                        .filter(made -> !made.equals(asked(attempt)))
                        .ifPresent(made -> broken.accept(attempt + " was answered with the outcome of " + made));
            case OperationResult.Mismatch mismatch ->
                made(mismatch.id())
                        .filter(made -> made.equals(asked(attempt)))
                        .ifPresent(made -> broken.accept(attempt + " was called a mismatch of " + made));
            case OperationResult.Attention attention -> {}
            case OperationResult.InProgress running -> {
                if (attempt.mode().isOneCommit()) {
                    // Behind the lock of a transaction nothing can be seen: a twin, like or unlike, is told busy.
                    return;
                }
                var before = atBegin.get(attempt.number());
                if (before != null
                        && before.equals(current.get(attempt.identity()))
                        && made(before)
                                .filter(made -> !made.equals(asked(attempt)))
                                .isPresent()) {
                    broken.accept(attempt + " was told to wait for another request under its key");
                }
            }
            case OperationResult.Ran ran -> {}
        }
    }

    /** Returns the request that made this record; empty if it is not known any more. */
    private Optional<Asked> made(RecordId id) {
        return Optional.ofNullable(first.get(id)).filter(known -> !erased.contains(id));
    }

    private static Asked asked(ClientAttempt attempt) {
        return new Asked(attempt.identity(), attempt.request());
    }
}
