package dev.refrain.http.edge;

import dev.refrain.api.Payload;
import dev.refrain.http.KeySource;
import dev.refrain.http.KeySyntax;
import dev.refrain.internal.json.InvalidJsonException;
import dev.refrain.internal.json.JsonValue;
import dev.refrain.internal.json.TopLevelMemberReader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.greenbytes.http.sfv.ParseException;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;

/**
 * Reads the key of a request from the first source that has a value. A malformed value is an error and does not fall through to
 * the next source, since the client meant to send a key. Thread-safe.
 */
final class RequestKeyReader {

    private final List<KeySource> sources;
    private final KeySyntax syntax;

    public RequestKeyReader(List<KeySource> sources, KeySyntax syntax) {
        this.sources = List.copyOf(sources);
        this.syntax = syntax;
    }

    /**
     * Returns the key; empty if there is none.
     *
     * @param body read only for sources that are body fields
     * @throws MalformedKeyException if a value is malformed, or a source has more than one
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
            if (text.indexOf(',') >= 0) {
                // Proxies join header lines by commas, so this may be two keys.
                throw MalformedKeyException.because(
                        source + " has a comma, so it may be two keys. Put a key with a comma in double quotes.");
            }
            return text;
        }
        try {
            if (Parser.parseItem(text) instanceof StringItem string) {
                return string.get();
            }
        } catch (ParseException notOne) {
            // The exception below explains it in terms that a client understands.
        }
        int listed = stringsListedIn(text);
        if (listed > 1) {
            // Proxies join header lines by commas.
            throw MalformedKeyException.givenTwice(source, listed);
        }
        throw MalformedKeyException.because(
                source + " begins with a double quote but is not one structured string (RFC 9651): \"key\".");
    }

    /** Returns how many structured strings the text lists; 0 if it is no such list. */
    private static int stringsListedIn(String text) {
        try {
            var members = Parser.parseList(text).get();
            return members.stream().allMatch(StringItem.class::isInstance) ? members.size() : 0;
        } catch (ParseException noList) {
            return 0;
        }
    }

    private static List<String> fields(KeySource.BodyField field, RequestHead head, Payload body) {
        String type = head.contentType().toLowerCase(Locale.ROOT);
        if (type.startsWith("application/x-www-form-urlencoded")) {
            return formFields(field.name(), new String(body.bytes(), StandardCharsets.ISO_8859_1));
        }
        return type.contains("json") ? jsonField(field, body.bytes()) : List.of();
    }

    /** Returns the values in a JSON body; a body that is not JSON has none, and rejecting it is up to the handler. */
    private static List<String> jsonField(KeySource.BodyField field, byte[] body) {
        try {
            return members(field, body);
        } catch (InvalidJsonException notReadable) {
            return List.of();
        }
    }

    /** Returns the values of top-level members only; all of them, since parsers disagree on which duplicate counts. */
    private static List<String> members(KeySource.BodyField field, byte[] body) throws InvalidJsonException {
        var found = TopLevelMemberReader.read(body, field.name());
        if (found.size() > 1) {
            throw MalformedKeyException.givenTwice(field, found.size());
        }
        return found.stream()
                .filter(value -> !value.equals(JsonValue.NULL))
                .map(value -> switch (value) {
                    case JsonValue.JsonString key -> key.value();
                    default -> throw MalformedKeyException.because("The " + field + " must be a string.");
                })
                .toList();
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
                // A field name that cannot be decoded is not this one.
            }
        }
        return found;
    }
}
