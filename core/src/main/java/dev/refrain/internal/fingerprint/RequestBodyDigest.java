package dev.refrain.internal.fingerprint;

import dev.refrain.api.RequestContent;
import dev.refrain.internal.json.InvalidJsonException;
import dev.refrain.internal.json.StrictJsonReader;
import java.io.IOException;
import java.io.InputStream;

/**
 * Contribution of a body to a fingerprint: its kind and the digest of its content. Opens the body once and holds at most {@code
 * maxCanonicalBytes} of it.
 */
public record RequestBodyDigest(DigestedBodyKind kind, LengthPrefixedDigest content) {

    private static final int CHUNK = 16 * 1024;

    /** Writes the canonical content of a fully buffered body, or rejects it. */
    private interface CanonicalWriter {
        void write(byte[] body, FieldSelection selection, LengthPrefixedDigest content)
                throws NotCanonicalException, InvalidJsonException;
    }

    public static RequestBodyDigest of(RequestContent request, FingerprintRecipe recipe) throws IOException {
        try (InputStream in = request.body().open()) {
            return switch (RequestBodyFormat.of(request.contentType())) {
                case RequestBodyFormat.Json json ->
                    held(in, recipe, DigestedBodyKind.JSON, DigestedBodyKind.JSON_BYTES, RequestBodyDigest::json);
                case RequestBodyFormat.Form form ->
                    held(in, recipe, DigestedBodyKind.FORM, DigestedBodyKind.FORM_BYTES, FormBodyDigest::write);
                case RequestBodyFormat.Multipart multipart -> multipart(in, multipart.boundary(), recipe.selection());
                case RequestBodyFormat.Opaque opaque -> byBytes(opaque.kind(), LengthPrefixedDigest.sha256(), in);
            };
        }
    }

    public void writeTo(LengthPrefixedDigest fingerprint) {
        fingerprint.tag(kind.tag()).digestOf(content);
    }

    private static RequestBodyDigest held(
            InputStream in,
            FingerprintRecipe recipe,
            DigestedBodyKind kind,
            DigestedBodyKind byBytes,
            CanonicalWriter canonical)
            throws IOException {
        byte[] body = in.readNBytes(recipe.maxCanonicalBytes() + 1);
        if (body.length <= recipe.maxCanonicalBytes()) {
            try {
                var content = LengthPrefixedDigest.sha256();
                canonical.write(body, recipe.selection(), content);
                return new RequestBodyDigest(kind, content);
            } catch (NotCanonicalException | InvalidJsonException e) {
                // so its bytes count
            }
        }
        return byBytes(byBytes, LengthPrefixedDigest.sha256().bytes(body), in);
    }

    private static void json(byte[] body, FieldSelection selection, LengthPrefixedDigest content)
            throws NotCanonicalException, InvalidJsonException {
        content.bytes(CanonicalJsonWriter.write(selection.apply(StrictJsonReader.read(body))));
    }

    private static RequestBodyDigest multipart(InputStream in, String boundary, FieldSelection selection)
            throws IOException {
        var parts = LengthPrefixedDigest.sha256();
        var wholeBody = LengthPrefixedDigest.sha256();
        try {
            new MultipartBodyDigest(in, boundary, wholeBody).write(selection, parts);
            return new RequestBodyDigest(DigestedBodyKind.MULTIPART, parts);
        } catch (NotCanonicalException e) {
            return byBytes(DigestedBodyKind.MULTIPART_BYTES, wholeBody, in);
        }
    }

    private static RequestBodyDigest byBytes(DigestedBodyKind kind, LengthPrefixedDigest start, InputStream rest)
            throws IOException {
        // A buffered body knows its length: most are a small fraction of a chunk.
        int atHand = rest.available();
        byte[] chunk = new byte[atHand > 0 ? Math.min(atHand, CHUNK) : CHUNK];
        for (int got = rest.read(chunk); got >= 0; got = rest.read(chunk)) {
            start.bytes(chunk, 0, got);
        }
        return new RequestBodyDigest(start.length() == 0 ? DigestedBodyKind.EMPTY : kind, start);
    }
}
