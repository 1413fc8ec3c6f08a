package dev.refrain.internal.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.RequestFingerprinter;
import dev.refrain.api.RequestContent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FingerprintRecipeTest {

    private static final byte[] SECRET = new byte[32];

    @Test
    void recipeSaysAllThatChangesADigest() {
        assertThat(recipe(RequestFingerprinter.builder())).isEqualTo("1");
        assertThat(recipe(RequestFingerprinter.builder().secret("k2", SECRET))).isEqualTo("1;hmac=k2");
        assertThat(recipe(RequestFingerprinter.builder().ignoredFields("/requestedAt", "/meta/trace")))
                .isEqualTo("1;-/meta/trace;-/requestedAt");
        assertThat(recipe(RequestFingerprinter.builder().includeOnly("/currency", "/amount")))
                .isEqualTo("1;+/amount;+/currency");
        assertThat(recipe(RequestFingerprinter.builder()
                        .includeOnly("/amount")
                        .maxCanonicalBytes(65_536)
                        .secret("k2", SECRET)))
                .isEqualTo("1;hmac=k2;max=65536;+/amount");
    }

    @Test
    void reservedCharactersOfARecipeAreEscapedInPointers() {
        String recipe = recipe(
                RequestFingerprinter.builder().ignoredFields("/a;b", "/100%", "/größe", "/a b", "/a~1b", "/\n", "/😀"));

        assertThat(recipe)
                .isEqualTo("1;-/%0A;-/100%25;-/a%20b;-/a%3Bb;-/a~1b;-/gr%C3%B6%C3%9Fe;-/%F0%9F%98%80")
                .matches("[!-~]+");
        assertThat(FingerprintRecipe.parse(recipe)).map(FingerprintRecipe::text).contains(recipe);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "1;hmac=k2",
                "1;max=1",
                "1;max=1073741824",
                "1;hmac=k.2-_;max=5;-/a",
                "1;-/a;-/b/0/c",
                "1;+/",
                "1;+/%3B",
                "1;-/a/b~0~1"
            })
    void recordedRecipeIsUnderstoodAgain(String text) {
        assertThat(FingerprintRecipe.parse(text)).map(FingerprintRecipe::text).contains(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "2",
                "01",
                "1;",
                "1;;",
                "1;-",
                "1;x",
                "1;hmac",
                "1;hmac=",
                "1;hmac=ö",
                "1;hmac=a;hmac=b",
                "1;max=0",
                "1;max=1048576",
                "1;max=99999999999",
                "1;max=1073741825",
                "1;max=-1",
                "1;max=1;hmac=k",
                "1;-a",
                "1;-/b;-/a",
                "1;-/a;+/b",
                "1;x/a",
                "1;-/%",
                "1;-/%4",
                "1;-/%61",
                "1;-/%c3%b6",
                "1;-/%FF",
                "1;-/ö",
                "1;-/~2",
                "1 "
            })
    void recipeThatVersion1DoesNotWriteIsNotFollowed(String text) {
        assertThat(FingerprintRecipe.parse(text)).isEmpty();
    }

    private static String recipe(RequestFingerprinter.Builder builder) {
        return builder.build().of(RequestContent.of("op", "")).recipe();
    }
}
