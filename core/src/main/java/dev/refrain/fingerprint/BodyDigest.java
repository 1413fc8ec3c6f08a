package dev.refrain.fingerprint;

import java.io.IOException;
import java.io.InputStream;

/**
 * What of a body goes into a fingerprint: its kind and the digest of its content. One opening of the body suffices, and
 * never more than {@code maxCanonicalBytes} of it are held.
 */
record BodyDigest(BodyKind kind, FramedDigest content) {

    private static final int CHUNK = 16 * 1024;

    /** Writes the canonical content of a body that is wholly at hand, or refuses it. */
    private interface Canonical {
        void write(byte[] body, Selection selection, FramedDigest content) throws NotCanonicalException;
    }

    static BodyDigest of(Request request, Recipe recipe) throws IOException {
        try (InputStream in = request.body().open()) {
            return switch (BodyFormat.of(request.contentType())) {
                case BodyFormat.Json json -> held(in, recipe, BodyKind.JSON, BodyKind.JSON_BYTES, BodyDigest::json);
                case BodyFormat.Form form -> held(in, recipe, BodyKind.FORM, BodyKind.FORM_BYTES, FormBody::write);
                case BodyFormat.Multipart multipart -> multipart(in, multipart.boundary(), recipe.selection());
                case BodyFormat.Opaque opaque -> byBytes(opaque.kind(), FramedDigest.sha256(), in);
            };
        }
    }

    void writeTo(FramedDigest fingerprint) {
        fingerprint.tag(kind.tag()).digestOf(content);
    }

    private static BodyDigest held(InputStream in, Recipe recipe, BodyKind kind, BodyKind byBytes, Canonical canonical)
            throws IOException {
        byte[] body = in.readNBytes(recipe.maxCanonicalBytes() + 1);
        if (body.length <= recipe.maxCanonicalBytes()) {
            try {
                var content = FramedDigest.sha256();
                canonical.write(body, recipe.selection(), content);
                return new BodyDigest(kind, content);
            } catch (NotCanonicalException e) {
                // so its bytes count
            }
        }
        return byBytes(byBytes, FramedDigest.sha256().bytes(body), in);
    }

    private static void json(byte[] body, Selection selection, FramedDigest content) throws NotCanonicalException {
        content.bytes(CanonicalJson.write(selection.apply(JsonReader.read(body))));
    }

    private static BodyDigest multipart(InputStream in, String boundary, Selection selection) throws IOException {
        var parts = FramedDigest.sha256();
        var wholeBody = FramedDigest.sha256();
        try {
            new MultipartBody(in, boundary, wholeBody).write(selection, parts);
            return new BodyDigest(BodyKind.MULTIPART, parts);
        } catch (NotCanonicalException e) {
            return byBytes(BodyKind.MULTIPART_BYTES, wholeBody, in);
        }
    }

    private static BodyDigest byBytes(BodyKind kind, FramedDigest start, InputStream rest) throws IOException {
        // A body that is at hand says how much there is: most are a small fraction of a chunk.
        int atHand = rest.available();
        byte[] chunk = new byte[atHand > 0 ? Math.min(atHand, CHUNK) : CHUNK];
        for (int got = rest.read(chunk); got >= 0; got = rest.read(chunk)) {
            start.bytes(chunk, 0, got);
        }
        return new BodyDigest(start.length() == 0 ? BodyKind.EMPTY : kind, start);
    }
}
