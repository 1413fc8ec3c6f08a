package dev.refrain.trials.simulation.world;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.trials.simulation.law.ObservedEnding.Steering;
import dev.refrain.trials.simulation.machine.SeededRandom;
import java.time.Duration;
import java.util.List;

/**
 * Script of one run of the work.
 *
 *
 * @param before how long it takes before it charges
 * @param after how long it goes on after it
 * @param heedsInterrupts whether an interrupt ends it
 */
record SimulatedWorkScript(
        Duration before, Act act, Duration after, Steering steering, boolean heedsInterrupts, Outcome.Answer answer) {

    /** Ways in which a run ends. */
    enum Act {
        ANSWER,
        FAIL_BEFORE_EFFECT,
        FAIL_AFTER_EFFECT
    }

    static SimulatedWorkScript by(SeededRandom chance, SimulatedOperation service, int run) {
        var act = switch (chance.below(10)) {
            case 0 -> Act.FAIL_BEFORE_EFFECT;
            case 1 -> Act.FAIL_AFTER_EFFECT;
            default -> Act.ANSWER;
        };
        var steering = switch (act) {
            case FAIL_BEFORE_EFFECT -> chance.oneIn(2) ? Steering.NOTHING_HAPPENED : Steering.NONE;
            case FAIL_AFTER_EFFECT -> Steering.NONE;
            case ANSWER ->
                switch (chance.below(16)) {
                    case 0 -> Steering.DO_NOT_KEEP;
                    case 1 -> Steering.KEEP_STATE_ONLY;
                    case 2 -> Steering.KEEP_LONGER;
                    default -> Steering.NONE;
                };
        };
        return new SimulatedWorkScript(
                time(chance, service), act, time(chance, service), steering, !chance.oneIn(5), answer(chance, run));
    }

    /**
     * Returns a random duration: mostly short, at times longer than a lease (and renewed), seldom longer than it may run (and taken over).
     */
    private static Duration time(SeededRandom chance, SimulatedOperation service) {
        return chance.upTo(
                switch (chance.below(16)) {
                    case 0 -> service.maxRun().plus(service.lease()).plus(service.lease());
                    case 1, 2, 3 -> service.lease().plus(service.lease());
                    case 4, 5, 6, 7, 8 -> Duration.ofSeconds(2);
                    default -> Duration.ofMillis(50);
                });
    }

    /** Makes an answer that differs from run to run, so that a second answer under one record is noticed. */
    private static Outcome.Answer answer(SeededRandom chance, int run) {
        int status = chance.pick(List.of(200, 200, 200, 201, 204, 302, 400, 404, 429, 500, 503));
        var body = chance.oneIn(4) ? new byte[0] : chance.bytes(chance.between(1, 24));
        return new Outcome.Answer(status, List.of(new AnswerHeader("Run", Integer.toString(run))), Payload.of(body));
    }
}
