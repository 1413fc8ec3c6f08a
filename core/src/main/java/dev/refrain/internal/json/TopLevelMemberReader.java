package dev.refrain.internal.json;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the members of one name at the top of an object, all of them, and passes over everything else. It accepts what usual parsers
 * accept: duplicate members, UTF-16 and UTF-32, a byte order mark, something after the object.
 */
public final class TopLevelMemberReader extends JsonScanner {

    /** What Jackson 2 accepts, the most generous of the usual parsers. */
    private static final int MAX_DEPTH = 1_000;

    private static final JsonValue NESTED = new JsonValue.JsonArray(List.of());

    private TopLevelMemberReader(char[] text) {
        super(text, MAX_DEPTH);
    }

    /** Returns the values of all members of this name; none if the text is not an object. An object or array comes back empty. */
    public static List<JsonValue> read(byte[] body, String name) throws InvalidJsonException {
        var reader = new TopLevelMemberReader(StrictJsonReader.decoded(body, charset(body)));
        reader.skip('\uFEFF');
        reader.skipSpace();
        return reader.current() == '{' ? reader.members(name) : List.of();
    }

    /** Returns the encoding by the rules of RFC 4627: the first character is ASCII, so that the zeros around it show it. */
    private static Charset charset(byte[] body) {
        if (body.length < 4) {
            return StandardCharsets.UTF_8;
        }
        int first = body[0] & 0xFF;
        int second = body[1] & 0xFF;
        if (first == 0 && second == 0) {
            return Charset.forName("UTF-32BE");
        }
        if (first == 0 || (first == 0xFE && second == 0xFF)) {
            return StandardCharsets.UTF_16BE;
        }
        if (second == 0 || (first == 0xFF && second == 0xFE)) {
            return body[2] == 0 && body[3] == 0 ? Charset.forName("UTF-32LE") : StandardCharsets.UTF_16LE;
        }
        return StandardCharsets.UTF_8;
    }

    private List<JsonValue> members(String wanted) throws InvalidJsonException {
        var found = new ArrayList<JsonValue>();
        at++;
        skipSpace();
        if (skip('}')) {
            return found;
        }
        do {
            boolean isWanted = name().equals(wanted);
            JsonValue value = value(1);
            if (isWanted) {
                found.add(value);
            }
            skipSpace();
        } while (skip(','));
        expect('}');
        return found;
    }

    private String name() throws InvalidJsonException {
        skipSpace();
        String name = string();
        skipSpace();
        expect(':');
        return name;
    }

    private JsonValue value(int depth) throws InvalidJsonException {
        skipSpace();
        return switch (current()) {
            case '{' -> nested('}', depth + 1);
            case '[' -> nested(']', depth + 1);
            case '"' -> new JsonValue.JsonString(string());
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> {
                int from = at;
                number();
                yield new JsonValue.JsonNumber(new String(text, from, at - from));
            }
        };
    }

    private JsonValue nested(char close, int depth) throws InvalidJsonException {
        requireShallow(depth);
        at++;
        skipSpace();
        if (!skip(close)) {
            do {
                if (close == '}') {
                    name();
                }
                value(depth);
                skipSpace();
            } while (skip(','));
            expect(close);
        }
        return NESTED;
    }
}
