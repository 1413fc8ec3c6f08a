package dev.refrain.http.edge;

import dev.refrain.api.Payload;
import dev.refrain.http.KeySource;
import dev.refrain.http.KeySyntax;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.greenbytes.http.sfv.ParseException;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Finds the key of a request: in the first of its sources that holds one. What stands there and is no key is an error, and not
 * passed over for the next source: the client meant to send one. Thread-safe.
 */
public final class RequestKeyReader {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final List<KeySource> sources;
    private final KeySyntax syntax;

    public RequestKeyReader(List<KeySource> sources, KeySyntax syntax) {
        this.sources = List.copyOf(sources);
        this.syntax = syntax;
    }

    /**
     * The key; empty if there is none.
     *
     * @param body looked at only where it may hold the key
     * @throws MalformedKeyException if there is something that is no key, or more than one
     */
    public Optional<String> read(RequestHead head, Payload body) {
        for (var source : sources) {
            var found = values(source, head, body);
            if (found.size() > 1) {
                throw MalformedKeyException.givenTwice(source, found.size());
            }
            if (!found.isEmpty()) {
                return Optional.of(
                        source instanceof KeySource.Header ? parse(source, found.getFirst()) : found.getFirst());
            }
        }
        return Optional.empty();
    }

    private static List<String> values(KeySource source, RequestHead head, Payload body) {
        return switch (source) {
            case KeySource.Header header -> head.headers(header.name());
            case KeySource.BodyField field -> fields(field, head, body);
        };
    }

    private String parse(KeySource source, String value) {
        String text = value.strip();
        if (!text.startsWith("\"")) {
            if (syntax == KeySyntax.STRICT) {
                throw MalformedKeyException.because(
                        source + " must be a structured string: put the key in double quotes.");
            }
            return text;
        }
        try {
            if (Parser.parseItem(text) instanceof StringItem string) {
                return string.get();
            }
        } catch (ParseException notOne) {
            // Answered below, in words that a client can use.
        }
        throw MalformedKeyException.because(
                source + " begins with a double quote but is not one structured string (RFC 9651): \"key\".");
    }

    private static List<String> fields(KeySource.BodyField field, RequestHead head, Payload body) {
        String type = head.contentType().toLowerCase(Locale.ROOT);
        if (type.startsWith("application/x-www-form-urlencoded")) {
            return formFields(field.name(), new String(body.bytes(), StandardCharsets.ISO_8859_1));
        }
        return type.contains("json") ? jsonField(field, body.bytes()) : List.of();
    }

    /** A body that is no JSON has no key in it; what it is otherwise is for the handler to say. */
    private static List<String> jsonField(KeySource.BodyField field, byte[] body) {
        try {
            return members(field, body);
        } catch (JacksonException notReadable) {
            return List.of();
        }
    }

    /** Those at the top. Where one stands twice, readers do not agree on which of them counts. */
    private static List<String> members(KeySource.BodyField field, byte[] body) {
        var found = new ArrayList<JsonNode>();
        try (var parser = JSON.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return List.of();
            }
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                parser.nextToken();
                if (name.equals(field.name())) {
                    found.add(parser.readValueAsTree());
                } else {
                    parser.skipChildren();
                }
            }
        }
        if (found.size() > 1) {
            throw MalformedKeyException.givenTwice(field, found.size());
        }
        found.removeIf(JsonNode::isNull);
        for (var value : found) {
            if (!value.isString()) {
                throw MalformedKeyException.because("The " + field + " must be a string.");
            }
        }
        return found.stream().map(JsonNode::stringValue).toList();
    }

    private static List<String> formFields(String name, String form) {
        var found = new ArrayList<String>();
        for (String pair : form.split("&", -1)) {
            int equals = pair.indexOf('=');
            try {
                if (URLDecoder.decode(equals < 0 ? pair : pair.substring(0, equals), StandardCharsets.UTF_8)
                        .equals(name)) {
                    found.add(URLDecoder.decode(equals < 0 ? "" : pair.substring(equals + 1), StandardCharsets.UTF_8));
                }
            } catch (IllegalArgumentException badEscape) {
                // Not a field that could have this name.
            }
        }
        return found;
    }
}
