package dev.refrain.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.Places;
import dev.refrain.http.policy.Mode;
import dev.refrain.http.policy.Policy;
import dev.refrain.http.policy.Requirement;
import dev.refrain.http.policy.Route;
import dev.refrain.store.TakeOver;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is published promises nothing that is not kept. */
class PublishedContractTest {

    private static final Policy PROTECTED = Policy.of(Mode.leased(TakeOver.RESUME));
    private static final Policy OBSERVED = PROTECTED.key(key -> key.with(Requirement.OBSERVE));

    @Test
    void whereKeysAreOnlyObservedNobodyIsPromisedTheSameAnswer() {
        var page = new PublishedContract(List.of(Route.of("POST /notes", OBSERVED)), new Places("/refrain")).html();

        assertThat(new String(page.body().bytes(), StandardCharsets.UTF_8)).contains("a retry runs again");
        assertThat(PublishedContract.describe(OBSERVED)).contains("runs again").doesNotContain("same answer");
        assertThat(PublishedContract.describe(PROTECTED)).contains("PT24H; a retry is given the same answer");
    }

    @Test
    void toObserveRefusesNothing() {
        assertThat(PublishedContract.refusals(OBSERVED)).isEmpty();
        assertThat(PublishedContract.isRequired(OBSERVED)).isFalse();
        assertThat(PublishedContract.refusals(PROTECTED))
                .extracting(PublishedContract.Refusal::status)
                .containsExactly(400, 409, 413, 422, 503);
    }
}
