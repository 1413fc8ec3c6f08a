package dev.refrain.outcome;

import static org.assertj.core.api.Assertions.assertThat;

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
class ProfileTest {

    private static final Set<Integer> TRY_AGAIN = Set.of(408, 409, 425, 429);

    private static IntPredicate between(int first, int last) {
        return status -> status >= first && status <= last;
    }

    static Stream<Arguments> table() {
        return Stream.of(
                row(
                        Profile.DEFAULT,
                        between(200, 399).or(between(400, 499).and(s -> !TRY_AGAIN.contains(s))),
                        false,
                        422),
                row(Profile.STRIPE, status -> status != 429, true, 400),
                row(Profile.SQUARE, between(200, 299).or(between(400, 499)), false, 409),
                row(Profile.SUCCESS_ONLY, between(200, 299), false, 422),
                row(Profile.ADYEN, status -> true, true, 422));
    }

    private static Arguments row(Profile profile, IntPredicate kept, boolean exceptions, int mismatch) {
        return Arguments.of(profile, kept, exceptions, mismatch);
    }

    @ParameterizedTest
    @MethodSource("table")
    void a_profile_keeps_what_its_row_says(
            Profile profile, IntPredicate kept, boolean keepsExceptions, int mismatchStatus) {
        assertThat(IntStream.range(200, 600).filter(s -> profile.keeps().test(Outcome.Answer.of(s, new byte[0]))))
                .containsExactlyElementsOf(
                        IntStream.range(200, 600).filter(kept).boxed().toList());
        assertThat(profile.keepsExceptions()).isEqualTo(keepsExceptions);
        assertThat(profile.mismatchStatus()).isEqualTo(mismatchStatus);
    }

    @Test
    void adyen_does_not_keep_an_answer_that_says_it_is_transient() {
        assertThat(kept(Profile.ADYEN, 500, new Header("transient-error", "TRUE")))
                .isFalse();
        assertThat(kept(Profile.ADYEN, 200, new Header("Transient-Error", "true")))
                .isFalse();
        assertThat(kept(Profile.ADYEN, 500, new Header("Transient-Error", "false")))
                .isTrue();
        assertThat(kept(Profile.DEFAULT, 200, new Header("Transient-Error", "true")))
                .isTrue();
    }

    private static boolean kept(Profile profile, int status, Header header) {
        return profile.keeps().test(new Outcome.Answer(status, List.of(header), Payload.of(new byte[0])));
    }

    @Test
    void each_setting_of_a_profile_can_be_set_alone_and_the_name_tells() {
        var own = Profile.DEFAULT.withKeepRule(a -> a.status() == 418);
        assertThat(kept(own, 418, new Header("a", "b"))).isTrue();
        assertThat(kept(own, 200, new Header("a", "b"))).isFalse();
        assertThat(own.keepsExceptions()).isFalse();
        assertThat(own).hasToString("default*");

        assertThat(Profile.DEFAULT.withKeepsExceptions(true).keepsExceptions()).isTrue();
        assertThat(Profile.DEFAULT.withKeepsExceptions(true).keeps()).isSameAs(Profile.DEFAULT.keeps());
        assertThat(Profile.STRIPE.withMismatchStatus(409).mismatchStatus()).isEqualTo(409);
        assertThat(Profile.STRIPE.withMismatchStatus(409).keepsExceptions()).isTrue();
        assertThat(Profile.STRIPE).hasToString("stripe");
    }
}
