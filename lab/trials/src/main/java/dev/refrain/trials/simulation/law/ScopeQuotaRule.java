package dev.refrain.trials.simulation.law;

import dev.refrain.api.OperationResult;
import dev.refrain.api.QuotaReachedException;
import dev.refrain.api.ScopedKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Rule of quotas: an existing key is never refused, no key is refused while there is certainly room, and a new one is not admitted by a
 * process that could count for long enough that the scope is full.
 */
final class ScopeQuotaRule implements InvariantRule {

    /** Time after which a process has counted, which it does once a second on demand. */
    private static final Duration COUNTED = Duration.ofSeconds(2);

    /** Time in which a call that came later may count before an earlier one. */
    private static final Duration AT_ONCE = Duration.ofMillis(100);

    private static final Duration MARGIN = Duration.ofSeconds(10);

    private record CountedKey(Instant since, Optional<Instant> expiry, boolean counts) {

        boolean throughout(Instant from, Instant to) {
            return !since.isAfter(from) && expiry.map(to::isBefore).orElse(true);
        }
    }

    private final Map<ScopedKey, CountedKey> there = new HashMap<>();
    private final Set<ScopedKey> ever = new HashSet<>();
    private final Map<String, ClientAttempt> lastCalls = new HashMap<>();
    private final Map<Integer, ObservedProcess> cameToFull = new HashMap<>();
    private OptionalLong quota = OptionalLong.empty();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.WorldBegan began -> quota = began.quota();
            case SimulationEvent.Step step -> note(step);
            case SimulationEvent.Called called -> {
                if (quota.isPresent()) {
                    called(called);
                }
            }
            case SimulationEvent.Answered answered -> {
                if (quota.isPresent()) {
                    answered(answered, broken);
                }
            }
            default -> {}
        }
    }

    private void note(SimulationEvent.Step step) {
        if (step.after().isEmpty()) {
            there.remove(step.identity());
            return;
        }
        var seen = step.after().get();
        var known = there.get(step.identity());
        var since = known != null && step.sameRecord() ? known.since() : step.at();
        there.put(
                step.identity(),
                new CountedKey(since, seen.expiry(), seen.record().fingerprint().isPresent()));
        ever.add(step.identity());
    }

    private void called(SimulationEvent.Called called) {
        var attempt = called.attempt();
        var before = lastCalls.put(attempt.process(), attempt);
        // Of two that come at once, either one counts, and the other goes by what was counted before.
        if (before != null && before.begun().plus(AT_ONCE).isAfter(attempt.begun())) {
            cameToFull.remove(before.number());
        }
        boolean countsItself = before == null || before.begun().plus(COUNTED).isBefore(attempt.begun());
        if (countsItself && !there.containsKey(attempt.identity()) && isFull(attempt)) {
            cameToFull.put(attempt.number(), called.runner());
        }
    }

    private boolean isFull(ClientAttempt attempt) {
        var begun = attempt.begun();
        long keys = there.entrySet().stream()
                .filter(e -> e.getKey().scope().equals(attempt.identity().scope()))
                .filter(e -> e.getValue().counts())
                .filter(e -> e.getValue().throughout(begun.minus(COUNTED), begun.plus(MARGIN)))
                .count();
        return keys >= quota.getAsLong();
    }

    private void answered(SimulationEvent.Answered answered, Consumer<String> broken) {
        var attempt = answered.attempt();
        var took = answered.patience().took();
        if (answered.how() instanceof ObservedEnding.Failed failed
                && failed.failure() instanceof QuotaReachedException) {
            var known = there.get(attempt.identity());
            if (known != null
                    && known.throughout(
                            attempt.begun(), attempt.begun().plus(took).plus(MARGIN))) {
                broken.accept(attempt + " was refused, though its key exists");
            }
            long held = ever.stream()
                    .filter(identity ->
                            identity.scope().equals(attempt.identity().scope()))
                    .count();
            if (held < quota.getAsLong()) {
                broken.accept(attempt + " was refused, though the scope never held more than " + held + " keys");
            }
        } else if (answered.how() instanceof ObservedEnding.Result result
                && result.result() instanceof OperationResult.Ran) {
            var runner = cameToFull.get(attempt.number());
            if (runner != null
                    && answered.run().filter(run -> run.fence() == 1).isPresent()
                    && runner.inPeaceFor(took.plus(COUNTED))) {
                broken.accept(attempt + " was let in, though the scope was full");
            }
        }
    }
}
