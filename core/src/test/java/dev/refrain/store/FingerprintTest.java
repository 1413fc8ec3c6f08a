package dev.refrain.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.refrain.RequestFingerprinter;
import dev.refrain.api.RequestContent;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FingerprintTest {

    private static final byte[] DIGEST = digest(7);

    @Test
    void storedFingerprintIsReadBackEqual() {
        Fingerprint made = RequestFingerprinter.unkeyed().of(RequestContent.of("payments.create", "x"));

        assertThat(Fingerprint.stored(made.recipe(), made.digest()))
                .isEqualTo(made)
                .hasSameHashCodeAs(made)
                .matches(made::matches, "matches");
    }

    @Test
    void digestMadeByAnotherRecipeNeverMatches() {
        assertThat(Fingerprint.stored("1", DIGEST).matches(Fingerprint.stored("1;hmac=k1", DIGEST)))
                .isFalse();
    }

    @Test
    void anyOtherDigestDoesNotMatch() {
        for (int i = 0; i < Fingerprint.DIGEST_BYTES; i++) {
            byte[] other = DIGEST.clone();
            other[i] ^= 1;
            assertThat(Fingerprint.stored("1", DIGEST)).isNotEqualTo(Fingerprint.stored("1", other));
        }
    }

    @Test
    void nobodyCanChangeAFingerprintThroughAnArray() {
        byte[] mine = DIGEST.clone();
        Fingerprint fingerprint = Fingerprint.stored("1", mine);
        Arrays.fill(mine, (byte) 0);
        Arrays.fill(fingerprint.digest(), (byte) 0);

        assertThat(fingerprint.digest()).isEqualTo(DIGEST);
    }

    @Test
    void logShowsTheRecipeAndOnlyTheFirstBytes() {
        assertThat(Fingerprint.stored("1;hmac=k1", DIGEST)).hasToString("Fingerprint[1;hmac=k1 07070707…]");
    }

    @Test
    void recipeOfALaterVersionCanBeLoaded() {
        for (String recipe : new String[] {"27;whatever", "!~", "1".repeat(512)}) {
            assertThat(Fingerprint.stored(recipe, DIGEST).recipe()).isEqualTo(recipe);
        }
    }

    @Test
    void damagedRowIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Fingerprint.stored("1", new byte[31]));
        assertThatIllegalArgumentException().isThrownBy(() -> Fingerprint.stored("", DIGEST));
        assertThatIllegalArgumentException().isThrownBy(() -> Fingerprint.stored("1 ", DIGEST));
        assertThatIllegalArgumentException().isThrownBy(() -> Fingerprint.stored("1\u007f", DIGEST));
        assertThatIllegalArgumentException().isThrownBy(() -> Fingerprint.stored("é", DIGEST));
        assertThatIllegalArgumentException().isThrownBy(() -> Fingerprint.stored("1".repeat(513), DIGEST));
    }

    private static byte[] digest(int filling) {
        byte[] digest = new byte[Fingerprint.DIGEST_BYTES];
        Arrays.fill(digest, (byte) filling);
        return digest;
    }
}
