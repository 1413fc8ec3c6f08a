package dev.refrain.internal.fingerprint;

import static dev.refrain.internal.fingerprint.TestRequests.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.refrain.RequestFingerprinter;
import dev.refrain.api.RepeatableBody;
import dev.refrain.api.RequestContent;
import dev.refrain.api.UnknownFingerprintRecipeException;
import dev.refrain.internal.json.RandomJson;
import dev.refrain.internal.json.StrictJsonReader;
import dev.refrain.internal.key.LosslessUtf8;
import dev.refrain.store.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.erdtman.jcs.JsonCanonicalizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What must hold for every request. Cases come from fixed seeds; a failure names its seed. */
class FingerprintPropertiesTest {

    private static final int CASES = 3_000;

    @Test
    void spellingOfJsonNeverMatters() {
        for (int seed = 0; seed < CASES; seed++) {
            var samples = new RandomJson(new Random(seed));
            Object value = samples.container(4);
            String one = samples.spelled(value);
            String other = samples.spelled(value);

            assertThat(TestRequests.kind(TestRequests.json(one)))
                    .as("seed %d: %s", seed, one)
                    .isEqualTo(DigestedBodyKind.JSON);
            assertThat(plain(TestRequests.json(one)))
                    .as("seed %d: %s and %s", seed, one, other)
                    .isEqualTo(plain(TestRequests.json(other)));
        }
    }

    @Test
    void anyChangeOfMeaningMatters() {
        for (int seed = 0; seed < CASES; seed++) {
            var samples = new RandomJson(new Random(seed));
            Object value = samples.container(4);
            String one = samples.spelled(value);
            String other = samples.spelled(samples.changed(value));

            assertThat(plain(TestRequests.json(one)))
                    .as("seed %d: %s and %s", seed, one, other)
                    .isNotEqualTo(plain(TestRequests.json(other)));
        }
    }

    @Test
    void canonicalJsonIsWhatTheLibraryWritesWhereverBothCan() throws Exception {
        for (int seed = 0; seed < CASES; seed++) {
            var samples = new RandomJson(new Random(seed));
            String json = samples.spelled(samples.container(4));

            assertThat(new String(
                            CanonicalJsonWriter.write(StrictJsonReader.read(json.getBytes(StandardCharsets.UTF_8))),
                            StandardCharsets.UTF_8))
                    .as("seed %d: %s", seed, json)
                    .isEqualTo(new JsonCanonicalizer(json).getEncodedString());
        }
    }

    @Test
    void excludedMemberNeverMattersAndNoOtherIsExcluded() {
        RequestFingerprinter but =
                RequestFingerprinter.builder().ignoredFields("/volatile").build();
        for (int seed = 0; seed < CASES; seed++) {
            var samples = new RandomJson(new Random(seed));
            var value = new HashMap<String, Object>(Map.of("kept", samples.container(3)));
            Fingerprint without = but.of(TestRequests.json(samples.spelled(value)));
            value.put("volatile", samples.container(3));

            assertThat(but.of(TestRequests.json(samples.spelled(value))))
                    .as("seed %d", seed)
                    .isEqualTo(without);
            value.put("kept", samples.changed(value.get("kept")));
            assertThat(but.of(TestRequests.json(samples.spelled(value))))
                    .as("seed %d", seed)
                    .isNotEqualTo(without);
        }
    }

    @Test
    void noTwoRequestsShareAnEncodingWhereverTheirPartsAreSplit() {
        List<String> texts = new ArrayList<>(List.of("", "\ud800", "\udc00", "?", "\ud83d\ude00"));
        for (String first : List.of("a", "\0", "/")) {
            texts.add(first);
            for (String second : List.of("a", "\0", "/")) {
                texts.add(first + second);
            }
        }
        var seen = new HashMap<String, String>();
        for (String method : texts) {
            for (String path : texts) {
                for (String query : texts) {
                    for (String body : texts.subList(0, 8)) {
                        var request = new RequestContent(
                                method, path, query, "", RepeatableBody.of(LosslessUtf8.bytes(body)));
                        String parts = String.join("|", List.of(method, path, query, body));
                        String digest = HexFormat.of().formatHex(plain(request).digest());
                        assertThat(seen.put(digest, parts))
                                .as("shares its digest with %s", parts)
                                .isNull();
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", TestRequests.JSON, TestRequests.FORM, "multipart/form-data; boundary=B"})
    void anyBytesHaveAFingerprintThatStaysTheSame(String contentType) {
        List<String> seeds = List.of(
                "{\"a\":[1,2.5e3,\"x\\u00e9\",null,{\"b\":true}]}",
                "a=1&b=%C3%B6+x&c&=d",
                "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--B\r\nX: y\r\n\r\n\r\n--B--\r\n");
        RequestFingerprinter[] fingerprinters = {
            RequestFingerprinter.unkeyed(),
            RequestFingerprinter.builder().ignoredFields("/a").build(),
            RequestFingerprinter.builder()
                    .includeOnly("/a/0", "/b")
                    .maxCanonicalBytes(40)
                    .build()
        };
        for (int seed = 0; seed < CASES; seed++) {
            var random = new Random(seed);
            byte[] bytes = seeds.get(random.nextInt(seeds.size())).getBytes(StandardCharsets.UTF_8);
            if (random.nextInt(4) == 0) {
                bytes = new byte[random.nextInt(200)];
                random.nextBytes(bytes);
            }
            for (int i = random.nextInt(6); i > 0 && bytes.length > 0; i--) {
                bytes[random.nextInt(bytes.length)] =
                        random.nextBoolean() ? (byte) random.nextInt() : bytes[random.nextInt(bytes.length)];
            }
            RequestContent request = TestRequests.post(contentType, bytes);
            for (RequestFingerprinter fingerprinter : fingerprinters) {
                assertThat(fingerprinter.of(request))
                        .as("seed %d: %s", seed, HexFormat.of().formatHex(bytes))
                        .isEqualTo(fingerprinter.of(request));
            }
        }
    }

    @Test
    void anyContentTypeCanBeSent() {
        String alphabet = "application/json;charset=utf-8\"\\ \tmultipart/form-data;boundary=B\0\u00e9€\ud800,";
        for (int seed = 0; seed < CASES * 3; seed++) {
            var random = new Random(seed);
            var contentType = new StringBuilder(random.nextBoolean() ? "multipart/form-data; boundary=" : "");
            for (int i = random.nextInt(30); i > 0; i--) {
                contentType.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            assertThatCode(() -> plain(TestRequests.post(contentType.toString(), "{}")))
                    .as("seed %d: %s", seed, contentType)
                    .doesNotThrowAnyException();
        }
        assertThatCode(() -> plain(TestRequests.post("a/b; c=\"" + "\\x".repeat(1_000_000) + "\"", "{}")))
                .doesNotThrowAnyException();
    }

    @Test
    void anyRecordedRecipeIsEitherFollowedOrRefused() {
        String alphabet = "1;-+/%3Bhmac=max~0aé";
        RequestContent request = TestRequests.json("{\"a\":1}");
        for (int seed = 0; seed < CASES * 3; seed++) {
            var random = new Random(seed);
            var recipe = new StringBuilder("1;");
            for (int i = random.nextInt(20); i > 0; i--) {
                recipe.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            try {
                assertThat(RequestFingerprinter.unkeyed()
                                .of(request, recipe.toString())
                                .recipe())
                        .as("seed %d", seed)
                        .isEqualTo(recipe.toString());
            } catch (UnknownFingerprintRecipeException told) {
                assertThat(told.recipe()).as("seed %d", seed).isEqualTo(recipe.toString());
            }
        }
    }
}
