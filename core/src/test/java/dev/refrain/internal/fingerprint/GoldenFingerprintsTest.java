package dev.refrain.internal.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.RequestFingerprinter;
import dev.refrain.api.RepeatableBody;
import dev.refrain.api.RequestContent;
import dev.refrain.store.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Digests that are in stores already. A change of the encoding fails here; it needs a new version, and version 1 must
 * still be followed for the records that were made by it.
 *
 * <p>The digests were computed a second time by an implementation in another language, from the description of
 * the encoding alone.
 */
class GoldenFingerprintsTest {

    private static final String FORM_DATA =
            "--B~Content-Disposition: form-data; name=\"amount\"~~5~--B~Content-Type: text/plain~"
                    + "Content-Disposition: form-data; name=\"file\"; filename=\"a.txt\"~~hello~--B--~";

    private static final RequestFingerprinter FINGERPRINTER = RequestFingerprinter.builder()
            .previousSecret("k1", "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII))
            .build();

    @ParameterizedTest(name = "{0} {1} {2}?{3} {4}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            emptyValue = "",
            nullValues = "NULL",
            value = {
                "1 | POST | /payments | `` | `` | `` | "
                        + "b7468a5aa67a57779b15a882d90793585e28541152ad7e6d418aeb85882670ae",
                "1 | POST | /payments | a=1&b=2 | text/plain | hello | "
                        + "5b365a85f11fa8c8f24722c1f7bd5c89696b186a650452c71080e08baee7b666",
                "1 | PATCH | /größe/😀 | `` | text/plain | hello | "
                        + "6240b68bcff5c017a0268afcf20673000b77894e3a3a386cfd8749db9b5d039a",
                "1 | `` | payments.create | `` | `` | hello | "
                        + "1ebb4758877aad8ce39fb794f8327827633e7dcba36e6c2b0860f32b07602858",
                "1 | POST | /payments | `` | application/json | {\"b\":[1.50,true,null],\"a\":\"\\u20ac\"} | "
                        + "7d7a90c61519e31f0d3184e1a10759358daf6f8a86e7dacd021bfcbaf50dddb5",
                "1 | POST | /payments | `` | application/json | {\"amount\":9007199254740993} | "
                        + "5824e2c84a44c1b2749862eac5cbac1438a304e31debd210ab51ea7cac46969a",
                "1 | POST | /payments | `` | application/x-www-form-urlencoded | a=1+2&b&a=%C3%B6 | "
                        + "f9901dafb13a2c53bf5bb8197e9f139c845ced5656b22a2689e6501c9b94a805",
                "1 | POST | /payments | `` | application/x-www-form-urlencoded | a=% | "
                        + "ccec598ccb1ad6f527b20967047980970512a1197d61a7b2ac521bc5c2d90323",
                "1 | POST | /payments | `` | multipart/form-data; boundary=B | FORM_DATA | "
                        + "883fd4c26e2959aa0e53579f61c0d0c7f63e29970b3fe998b321eff77604f8d7",
                "1 | POST | /payments | `` | multipart/form-data; boundary=C | FORM_DATA | "
                        + "5d18b80f70e37f3bbf878c8b74159775f35e6b942d47361bb2e5a4ed54db4203",
                "1;hmac=k1 | POST | /payments | `` | application/json | {\"amount\":5} | "
                        + "1d1fe06719d7a8d051a4100a307928dced59b056346d683c1a8a3d25f9b03e6f",
                "1;-/at | POST | /payments | `` | application/json | {\"amount\":5,\"at\":1} | "
                        + "f0730d5ef23bd0a673da0ce44f4bdf05b3689485e381f343aa147e8556b4cd98",
                "1;+/a/0;+/b | POST | /payments | `` | application/json | {\"a\":[7,8],\"c\":1} | "
                        + "a1c905abd5e5237bcabcf1e10ce4a0bd5376c2f42cd52b1a8e4c4e6e704f4c13",
                "1;-/a | POST | /payments | `` | application/x-www-form-urlencoded | a=1&b=2 | "
                        + "5ceebc08b76afe97c367329cd683e3b36137e3c021490e3bdb789442bb7c8d99",
                "1;+/file | POST | /payments | `` | multipart/form-data; boundary=B | FORM_DATA | "
                        + "2ace226aefe4e99afcf9327a8bb4e903992d9a1f3431d1975e12cfc6e5187d9c",
                "1;max=5 | POST | /payments | `` | application/json | {\"amount\":5} | "
                        + "5a3ba75143dd97d4be2907121c9ad5cf666cd8bfee5fe1a2819d12e971254713"
            })
    void version1StaysAsItIs(
            String recipe, String method, String path, String query, String contentType, String body, String digest) {
        byte[] bytes = body.replace("FORM_DATA", FORM_DATA).replace("~", "\r\n").getBytes(StandardCharsets.UTF_8);
        RequestContent request = new RequestContent(method, path, query, contentType, RepeatableBody.of(bytes));

        Fingerprint fingerprint = FINGERPRINTER.of(request, recipe);

        assertThat(fingerprint.recipe()).isEqualTo(recipe);
        assertThat(HexFormat.of().formatHex(fingerprint.digest())).isEqualTo(digest);
    }
}
