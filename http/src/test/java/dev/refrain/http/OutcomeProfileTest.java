package dev.refrain.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of the protocol's section 5, row by row and status by status. */
class OutcomeProfileTest {

    private static final Set<Integer> TRY_AGAIN = Set.of(408, 409, 425, 429);

    private static IntPredicate between(int first, int last) {
        return status -> status >= first && status <= last;
    }

    static Stream<Arguments> table() {
        return Stream.of(
                row(
                        OutcomeProfile.DEFAULT,
                        between(200, 399).or(between(400, 499).and(s -> !TRY_AGAIN.contains(s))),
                        false,
                        422),
                row(OutcomeProfile.STRIPE, status -> status != 429, true, 400),
                row(OutcomeProfile.SQUARE, between(200, 299).or(between(400, 499)), false, 409),
                row(OutcomeProfile.SUCCESS_ONLY, between(200, 299), false, 422),
                row(OutcomeProfile.ADYEN, status -> true, true, 422));
    }

    private static Arguments row(OutcomeProfile profile, IntPredicate kept, boolean exceptions, int mismatch) {
        return Arguments.of(profile, kept, exceptions, mismatch);
    }

    @ParameterizedTest
    @MethodSource("table")
    void profileKeepsWhatItsRowSays(
            OutcomeProfile profile, IntPredicate kept, boolean keepsExceptions, int mismatchStatus) {
        assertThat(IntStream.range(200, 600).filter(s -> profile.keeps().test(Outcome.Answer.of(s, new byte[0]))))
                .containsExactlyElementsOf(
                        IntStream.range(200, 600).filter(kept).boxed().toList());
        assertThat(profile.keepsExceptions()).isEqualTo(keepsExceptions);
        assertThat(profile.mismatchStatus()).isEqualTo(mismatchStatus);
    }

    @Test
    void adyenDoesNotKeepAnAnswerThatSaysItIsTransient() {
        assertThat(kept(OutcomeProfile.ADYEN, 500, new AnswerHeader("transient-error", "TRUE")))
                .isFalse();
        assertThat(kept(OutcomeProfile.ADYEN, 200, new AnswerHeader("Transient-Error", "true")))
                .isFalse();
        assertThat(kept(OutcomeProfile.ADYEN, 500, new AnswerHeader("Transient-Error", "false")))
                .isTrue();
        assertThat(kept(OutcomeProfile.DEFAULT, 200, new AnswerHeader("Transient-Error", "true")))
                .isTrue();
    }

    private static boolean kept(OutcomeProfile profile, int status, AnswerHeader header) {
        return profile.keeps().test(new Outcome.Answer(status, List.of(header), Payload.of(new byte[0])));
    }

    @Test
    void eachSettingOfAProfileCanBeSetAloneAndTheNameTells() {
        var own = OutcomeProfile.DEFAULT.withKeepRule(a -> a.status() == 418);
        assertThat(kept(own, 418, new AnswerHeader("a", "b"))).isTrue();
        assertThat(kept(own, 200, new AnswerHeader("a", "b"))).isFalse();
        assertThat(own.keepsExceptions()).isFalse();
        assertThat(own).hasToString("default*");

        assertThat(OutcomeProfile.DEFAULT.withKeepsExceptions(true).keepsExceptions())
                .isTrue();
        assertThat(OutcomeProfile.DEFAULT.withKeepsExceptions(true).keeps()).isSameAs(OutcomeProfile.DEFAULT.keeps());
        assertThat(OutcomeProfile.STRIPE.withMismatchStatus(409).mismatchStatus())
                .isEqualTo(409);
        assertThat(OutcomeProfile.STRIPE.withMismatchStatus(409).keepsExceptions())
                .isTrue();
        assertThat(OutcomeProfile.STRIPE).hasToString("stripe");
    }
}
