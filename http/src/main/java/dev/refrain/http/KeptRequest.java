package dev.refrain.http;

import dev.refrain.api.Payload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Request as it was received, as far as it is kept for the person who has to decide about its record. Immutable.
 *
 * @param target the path as sent; {@code ?…} behind it says that there was a query, which is not kept
 * @param headers those that the route keeps
 * @param receivedBytes length of the body as it was received
 */
public record KeptRequest(String method, String target, List<SentHeader> headers, long receivedBytes, KeptBody body) {

    private static final int FORMAT = 1;
    private static final int WHOLE = 0;
    private static final int CUT = 1;
    private static final int WITHHELD = 2;

    public KeptRequest {
        headers = List.copyOf(headers);
    }

    /** One header line. */
    public record SentHeader(String name, String value) {}

    /** Body, as far as it is kept. */
    public sealed interface KeptBody {

        /** All of it, with redacted fields replaced. */
        record WholeBody(Payload bytes) implements KeptBody {}

        /** Its beginning. */
        record CutBody(Payload beginning) implements KeptBody {}

        /** Nothing of it. */
        record WithheldBody(String why) implements KeptBody {}
    }

    /** Returns this request with another body, for redactors. */
    public KeptRequest withBody(byte[] bytes) {
        return with(new KeptBody.WholeBody(Payload.of(bytes)));
    }

    /** Returns this request without its body, and why it is not kept. */
    public KeptRequest withoutBody(String why) {
        return with(new KeptBody.WithheldBody(why));
    }

    private KeptRequest with(KeptBody other) {
        return new KeptRequest(method, target, headers, receivedBytes, other);
    }

    /** Returns this request with at most so many bytes of its body; never half a character of UTF-8. */
    public KeptRequest limitedTo(int maxBytes) {
        if (!(body instanceof KeptBody.WholeBody whole) || whole.bytes().size() <= maxBytes) {
            return this;
        }
        byte[] all = whole.bytes().bytes();
        int end = maxBytes;
        while (end > 0 && end > maxBytes - 3 && (all[end] & 0xC0) == 0x80) {
            end--;
        }
        return with(new KeptBody.CutBody(Payload.of(java.util.Arrays.copyOf(all, end))));
    }

    /** Returns the bytes of the body that are kept. */
    public Payload keptBytes() {
        return switch (body) {
            case KeptBody.WholeBody whole -> whole.bytes();
            case KeptBody.CutBody cut -> cut.beginning();
            case KeptBody.WithheldBody withheld -> Payload.of(new byte[0]);
        };
    }

    /** Returns the kept body as text; empty if it is withheld, compressed or not text in UTF-8. */
    public Optional<String> bodyText() {
        if (body instanceof KeptBody.WithheldBody
                || header("Content-Encoding").filter(c -> !c.equals("identity")).isPresent()) {
            return Optional.empty();
        }
        try {
            return Optional.of(StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(keptBytes().bytes()))
                            .toString())
                    .filter(text -> text.chars().noneMatch(KeptRequest::isBinary));
        } catch (CharacterCodingException notText) {
            return Optional.empty();
        }
    }

    private static boolean isBinary(int c) {
        return Character.isISOControl(c) && c != '\n' && c != '\r' && c != '\t';
    }

    /** Describes what is kept of the body in one line, for people. */
    public String bodySummary() {
        String type = header("Content-Type").orElse("unknown type");
        return switch (body) {
            case KeptBody.WholeBody whole -> receivedBytes + " bytes of " + type;
            case KeptBody.CutBody cut ->
                "the first " + cut.beginning().size() + " of " + receivedBytes + " bytes of " + type;
            case KeptBody.WithheldBody withheld ->
                receivedBytes + " bytes of " + type + ", not kept: " + withheld.why();
        };
    }

    private Optional<String> header(String name) {
        return headers.stream()
                .filter(h -> h.name().equalsIgnoreCase(name))
                .map(SentHeader::value)
                .findFirst();
    }

    /** Encodes this request for the store. */
    public Payload encode() {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            write(out, method);
            write(out, target);
            out.writeInt(headers.size());
            for (var header : headers) {
                write(out, header.name());
                write(out, header.value());
            }
            out.writeLong(receivedBytes);
            switch (body) {
                case KeptBody.WholeBody whole -> write(out, WHOLE, whole.bytes().bytes());
                case KeptBody.CutBody cut -> write(out, CUT, cut.beginning().bytes());
                case KeptBody.WithheldBody withheld ->
                    write(out, WITHHELD, withheld.why().getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Payload.of(bytes.toByteArray());
    }

    /** Decodes a stored request; empty if these bytes are none, because they are encrypted or of a newer version. */
    public static Optional<KeptRequest> decode(Payload payload) {
        try (var in = new DataInputStream(new ByteArrayInputStream(payload.bytes()))) {
            if (in.readByte() != FORMAT) {
                return Optional.empty();
            }
            String method = readText(in);
            String target = readText(in);
            var headers = new ArrayList<SentHeader>();
            for (int left = in.readInt(); left > 0; left--) {
                headers.add(new SentHeader(readText(in), readText(in)));
            }
            long received = in.readLong();
            int kind = in.readByte();
            byte[] bytes = readBytes(in);
            KeptBody body = switch (kind) {
                case WHOLE -> new KeptBody.WholeBody(Payload.of(bytes));
                case CUT -> new KeptBody.CutBody(Payload.of(bytes));
                default -> new KeptBody.WithheldBody(new String(bytes, StandardCharsets.UTF_8));
            };
            return Optional.of(new KeptRequest(method, target, headers, received, body));
        } catch (IOException | NegativeArraySizeException damaged) {
            return Optional.empty();
        }
    }

    private static void write(DataOutputStream out, int kind, byte[] bytes) throws IOException {
        out.writeByte(kind);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String readText(DataInputStream in) throws IOException {
        return new String(readBytes(in), StandardCharsets.UTF_8);
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        byte[] bytes = in.readNBytes(length < 0 ? 0 : length);
        if (bytes.length != length) {
            throw new IOException("The kept request is truncated.");
        }
        return bytes;
    }

    /** Safe for logs. */
    @Override
    public String toString() {
        return "KeptRequest[" + method + " " + receivedBytes + " bytes]";
    }
}
