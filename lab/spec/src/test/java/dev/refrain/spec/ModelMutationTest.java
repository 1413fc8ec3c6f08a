package dev.refrain.spec;

import static dev.refrain.spec.ModelProperty.*;
import static dev.refrain.spec.ModelledOperation.*;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every rule of the protocol is needed: without it TLC finds a behaviour that breaks a promise. */
class ModelMutationTest {

    private static final List<Mistake> MISTAKES = List.of(
            new Mistake("Fenced", "Unfenced", LEASED_RESUME, ONE_CLAIM_WRITES),
            new Mistake("Fenced", "Unfenced", FLOW_LOOKUP, ONE_CHARGE),
            new Mistake("Fenced", "FencedWithoutId", LEASED_RESUME, ONE_CLAIM_WRITES),
            new Mistake("Open", "OpenAlways", LEASED_HOLD, OUTCOMES_STAND),
            new Mistake("Open", "OpenAlways", LEASED_RESUME, STATES_AS_DRAWN),
            new Mistake("Open", "OpenAlways", LEASED_RESUME, WELL_FORMED),
            new Mistake("TakenOver", "HoldTakenOver", LEASED_HOLD, ONE_CHARGE),
            new Mistake("Alike", "AlikeAlways", LEASED_HOLD, MISMATCH_IS_REFUSED),
            new Mistake("Released", "ReleasedIsDeleted", LEASED_RESUME, ONE_CHARGE),
            new Mistake("Lost", "LostAnswersItsOwn", LEASED_RESUME, REPLAYS_ARE_EQUAL),
            new Mistake("Again", "AgainUnderTheSameFence", LEASED_RESUME, FENCES_GROW),
            new Mistake("TakenBack", "NothingTakenBack", TRANSACTIONAL, NO_HALF_EFFECT),
            new Mistake("MayLook", "LookBeforeLock", TRANSACTIONAL, ONE_EFFECT),
            new Mistake("Order", "EffectThenPoint", FLOW_KEYS, ONE_EFFECT),
            new Mistake("Order", "PointThenEffect", FLOW_KEYS, NO_LOST_EFFECT),
            new Mistake("Note", "NoteAfterSending", FLOW_NEITHER, ONE_CHARGE),
            new Mistake("DerivedKey", "KeyFromFence", FLOW_KEYS, ONE_CHARGE),
            new Mistake("DerivedKey", "KeyFromClient", LEASED_RESUME, NO_LOST_EFFECT),
            new Mistake("Remembered", "RememberedForEver", FLOW_KEYS, ONE_CHARGE),
            new Mistake("InTime", "SentLate", FLOW_LOOKUP, ONE_CHARGE),
            new Mistake("Stop", "NeverStopped", FLOW_LOOKUP, EVERY_RUN_ENDS),
            new Mistake("LookUp", "SentUnseen", FLOW_LOOKUP, ONE_CHARGE),
            new Mistake("Abandoned", "AbandonedOrNot", FLOW_LOOKUP, ONE_CHARGE),
            new Mistake("Abandoned", "AbandonedUnlessReleased", FLOW_NEITHER, EVERY_KEY_ENDS),
            new Mistake("Over", "OverIfReleased", FLOW_EXPIRING, NOTHING_HALF_DONE_IS_FORGOTTEN),
            new Mistake("LastRenewal", "RenewedForEver", LEASED_RESUME, EVERY_KEY_ENDS),
            new Mistake("Sweep", "NobodySweeps", LEASED_HOLD, EVERY_KEY_ENDS));

    /** Mutation of the model: a rule, its broken replacement, and the promise that it breaks. */
    record Mistake(String rule, String broken, ModelledOperation way, ModelProperty promise) {}

    static Stream<Mistake> mistakes() {
        return MISTAKES.stream();
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void withoutTheRuleAPromiseIsBroken(Mistake mistake) throws Exception {
        var lines = mistake.way().in(ModelSize.of(mistake.promise()));
        lines.add("CONSTANT " + mistake.rule() + " <- " + mistake.broken());
        lines.add(mistake.promise().asked());
        var verdict = TlcRunner.check(mistake.broken() + "-" + mistake.promise(), "Mistakes", lines);
        assertThat(verdict.lines())
                .as(verdict.told())
                .contains(mistake.promise().refuted());
        assertThat(verdict.exit()).isIn(TlcResult.UNSAFE, TlcResult.PROPERTY_VIOLATED);
    }

    @Test
    void everyMistakeOfTheModelIsTried() {
        var definition = Pattern.compile("^(\\w+)(?:\\(\\w+\\))? ==.*");
        var defined = TlcRunner.part("Mistakes.tla").stream()
                .map(definition::matcher)
                .filter(line -> line.matches())
                .map(line -> line.group(1));
        assertThat(mistakes().map(Mistake::broken).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(defined.toList());
    }

    @Test
    void everyPromiseIsBrokenByAMistake() {
        assertThat(mistakes().map(Mistake::promise).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(Arrays.asList(ModelProperty.values()));
    }
}
