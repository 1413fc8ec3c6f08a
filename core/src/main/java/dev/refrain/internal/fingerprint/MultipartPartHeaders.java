package dev.refrain.internal.fingerprint;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Headers of one part, as bytes (ISO 8859-1). All of them are compared, since a {@code Content-Transfer-Encoding} or {@code
 * Content-ID} changes what a part means, except {@code Content-Length}, which only repeats the content's length.
 *
 * <p>Written as the disposition ({@code form-data}), its parameters and the other headers; each of the two as their number (8
 * bytes) and then names, in lower case and sorted, and values. Every text is prefixed by its length.
 */
record MultipartPartHeaders(SortedMap<String, String> others, HeaderValue disposition) {

    private static final Pattern HEADER =
            Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*([^\\x00-\\x08\\x0A-\\x1F\\x7F]*)");
    private static final HeaderValue NO_DISPOSITION = new HeaderValue("", new TreeMap<>());

    static MultipartPartHeaders parse(List<String> lines) throws NotCanonicalException {
        var headers = new TreeMap<String, String>();
        for (String line : lines) {
            Matcher header = HEADER.matcher(line);
            if (!header.matches()) {
                throw new NotCanonicalException("not a header line");
            }
            String name = header.group(1).toLowerCase(Locale.ROOT);
            if (headers.put(name, header.group(2).stripTrailing()) != null) {
                throw new NotCanonicalException("header given twice");
            }
        }
        headers.remove("content-length");
        String disposition = headers.remove("content-disposition");
        return new MultipartPartHeaders(headers, disposition == null ? NO_DISPOSITION : HeaderValue.parse(disposition));
    }

    /** Returns the name of the form field; empty in multipart other than forms. */
    String fieldName() {
        return disposition.parameters().getOrDefault("name", "");
    }

    void writeTo(LengthPrefixedDigest parts) {
        text(parts, disposition.value());
        map(parts, disposition.parameters());
        map(parts, others);
    }

    private static void map(LengthPrefixedDigest parts, SortedMap<String, String> map) {
        parts.number(map.size());
        map.forEach((name, value) -> {
            text(parts, name);
            text(parts, value);
        });
    }

    private static void text(LengthPrefixedDigest parts, String bytes) {
        parts.framed(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }
}
