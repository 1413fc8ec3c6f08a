package dev.refrain.internal.json;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads strict JSON (RFC 8259), and rejects whatever two parsers might read differently: duplicate members, bytes that are not
 * UTF-8, unpaired surrogates, a byte order mark, anything after the value.
 */
public final class StrictJsonReader extends JsonScanner {

    public static final int MAX_DEPTH = 256;

    private static final int KNOWN_NUMBERS = 4096;
    private static final JsonValue NO_MEMBERS = new JsonValue.JsonObject(Collections.emptySortedMap());
    private static final JsonValue NO_ELEMENTS = new JsonValue.JsonArray(List.of());

    private final Supplier<Map<String, JsonValue>> memberMaps;

    /** Numbers that were read, each in its place or not at all: a body of a million short numbers is held in little memory. */
    private JsonValue.@Nullable JsonNumber[] known = {};

    private StrictJsonReader(char[] text, Supplier<Map<String, JsonValue>> memberMaps) {
        super(text, MAX_DEPTH);
        this.memberMaps = memberMaps;
    }

    /** Reads a value with the members of objects in the order of UTF-16 code units that RFC 8785 requires (that of Java strings). */
    public static JsonValue read(byte[] utf8) throws InvalidJsonException {
        return read(utf8, TreeMap::new);
    }

    /** Reads a value with the members of objects in the order in which they were sent. */
    public static JsonValue readInOrder(byte[] utf8) throws InvalidJsonException {
        return read(utf8, LinkedHashMap::new);
    }

    private static JsonValue read(byte[] utf8, Supplier<Map<String, JsonValue>> memberMaps)
            throws InvalidJsonException {
        var reader = new StrictJsonReader(decoded(utf8, StandardCharsets.UTF_8), memberMaps);
        reader.skipSpace();
        JsonValue document = reader.value(0);
        reader.skipSpace();
        if (reader.at < reader.text.length) {
            throw new InvalidJsonException("more than one JSON value");
        }
        return document;
    }

    /** Decodes strictly, without detecting another encoding or skipping a byte order mark. */
    static char[] decoded(byte[] bytes, Charset charset) throws InvalidJsonException {
        try {
            CharBuffer decoded = charset.newDecoder().decode(ByteBuffer.wrap(bytes));
            char[] text = new char[decoded.remaining()];
            decoded.get(text);
            return text;
        } catch (CharacterCodingException e) {
            throw new InvalidJsonException("not " + charset);
        }
    }

    private JsonValue value(int depth) throws InvalidJsonException {
        return switch (current()) {
            case '{' -> members(depth + 1);
            case '[' -> elements(depth + 1);
            case '"' -> new JsonValue.JsonString(string());
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> keptNumber();
        };
    }

    private JsonValue members(int depth) throws InvalidJsonException {
        requireShallow(depth);
        at++;
        skipSpace();
        if (skip('}')) {
            return NO_MEMBERS;
        }
        var members = memberMaps.get();
        do {
            skipSpace();
            String name = string();
            skipSpace();
            expect(':');
            skipSpace();
            if (members.putIfAbsent(name, value(depth)) != null) {
                throw new InvalidJsonException("duplicate member");
            }
            skipSpace();
        } while (skip(','));
        expect('}');
        return new JsonValue.JsonObject(members);
    }

    private JsonValue elements(int depth) throws InvalidJsonException {
        requireShallow(depth);
        at++;
        skipSpace();
        if (skip(']')) {
            return NO_ELEMENTS;
        }
        var elements = new ArrayList<JsonValue>(2);
        do {
            skipSpace();
            elements.add(value(depth));
            skipSpace();
        } while (skip(','));
        expect(']');
        return new JsonValue.JsonArray(elements.size() <= 2 ? List.copyOf(elements) : elements);
    }

    /** Reads a number and keeps it as sent. */
    private JsonValue keptNumber() throws InvalidJsonException {
        int from = at;
        number();
        return kept(from, at);
    }

    private JsonValue kept(int from, int end) {
        if (known.length == 0) {
            known = new JsonValue.JsonNumber[Math.min(KNOWN_NUMBERS, text.length)];
        }
        int hash = 0;
        for (int i = from; i < end; i++) {
            hash = 31 * hash + text[i];
        }
        int place = Math.floorMod(hash, known.length);
        var before = known[place];
        if (before == null || !isText(before.literal(), from, end)) {
            before = new JsonValue.JsonNumber(new String(text, from, end - from));
            known[place] = before;
        }
        return before;
    }

    private boolean isText(String literal, int from, int end) {
        if (literal.length() != end - from) {
            return false;
        }
        for (int i = 0; i < literal.length(); i++) {
            if (literal.charAt(i) != text[from + i]) {
                return false;
            }
        }
        return true;
    }

    /** Rejects unpaired surrogates, which have no UTF-8. */
    @Override
    String unescaped(String string) throws InvalidJsonException {
        for (int i = 0; i < string.length(); i++) {
            if (Character.isSurrogate(string.charAt(i))) {
                if (i + 1 == string.length() || !Character.isSurrogatePair(string.charAt(i), string.charAt(i + 1))) {
                    throw new InvalidJsonException("half of a surrogate pair");
                }
                i++;
            }
        }
        return string;
    }
}
