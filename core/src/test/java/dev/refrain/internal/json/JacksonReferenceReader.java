package dev.refrain.internal.json;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/** The reader that made fingerprints before there was {@link StrictJsonReader}, which must read and refuse the same. */
final class JacksonReferenceReader {

    private static final int MAX_DEPTH = StrictJsonReader.MAX_DEPTH;

    /**
     * Jackson's own limits are off, because they may change with its versions and ours are part of the encoding. So are
     * shared name tables: they give up on unlucky names depending on what was read before, and one body must always
     * have one fingerprint.
     */
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
            .disable(TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final JsonParser parser;

    private JacksonReferenceReader(JsonParser parser) {
        this.parser = parser;
    }

    static JsonValue read(byte[] utf8) throws InvalidJsonException {
        char[] text = strictlyDecoded(utf8);
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text, 0, text.length)) {
            JsonValue document = new JacksonReferenceReader(parser).value(parser.nextToken(), 0);
            if (parser.nextToken() != null) {
                throw new InvalidJsonException("more than one JSON value");
            }
            return document;
        } catch (JacksonException e) {
            throw new InvalidJsonException("not JSON");
        }
    }

    /** Decoded here and not by Jackson, which would also guess at UTF-16 and skip a byte order mark. */
    private static char[] strictlyDecoded(byte[] utf8) throws InvalidJsonException {
        try {
            CharBuffer decoded = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8));
            char[] text = new char[decoded.remaining()];
            decoded.get(text);
            return text;
        } catch (CharacterCodingException e) {
            throw new InvalidJsonException("not UTF-8");
        }
    }

    private JsonValue value(@Nullable JsonToken token, int depth) throws InvalidJsonException {
        if (token == null) {
            throw new InvalidJsonException("JSON ends early");
        }
        return switch (token) {
            case START_OBJECT -> members(depth + 1);
            case START_ARRAY -> elements(depth + 1);
            case VALUE_STRING -> new JsonValue.JsonString(whole(parser.getString()));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonValue.JsonNumber(parser.getString());
            case VALUE_TRUE, VALUE_FALSE, VALUE_NULL -> new JsonValue.Literal(parser.getString());
            default -> throw new InvalidJsonException("not a JSON value: " + token);
        };
    }

    private JsonValue members(int depth) throws InvalidJsonException {
        requireShallow(depth);
        var members = new TreeMap<String, JsonValue>();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            if (members.putIfAbsent(whole(name), value(parser.nextToken(), depth)) != null) {
                throw new InvalidJsonException("duplicate member");
            }
        }
        return new JsonValue.JsonObject(members);
    }

    private JsonValue elements(int depth) throws InvalidJsonException {
        requireShallow(depth);
        var elements = new ArrayList<JsonValue>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            elements.add(value(token, depth));
        }
        return new JsonValue.JsonArray(elements);
    }

    /** Jackson takes half of a pair in values and not in names. It has no UTF-8, so neither do we. */
    private static String whole(String text) throws InvalidJsonException {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (i + 1 == text.length() || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
                    throw new InvalidJsonException("half of a surrogate pair");
                }
                i++;
            }
        }
        return text;
    }

    private static void requireShallow(int depth) throws InvalidJsonException {
        if (depth > MAX_DEPTH) {
            throw new InvalidJsonException("nested deeper than " + MAX_DEPTH);
        }
    }
}
