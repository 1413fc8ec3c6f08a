package dev.refrain.http;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Settings for keeping the request of a leased route until its record is settled. Immutable.
 *
 * @param rule when it is kept
 * @param maxBytes the longest body that is kept whole; a longer one is cut
 * @param headers headers that are kept; names are case-insensitive
 * @param redactedFields fields of JSON bodies that are replaced, as JSON pointers; {@code *} stands for every element or member. A body that
 *     is not valid JSON is then not kept
 * @param redactor removes what fields cannot name
 */
public record KeptRequestPolicy(
        KeptRequestRule rule,
        int maxBytes,
        Set<String> headers,
        List<String> redactedFields,
        KeptRequestRedactor redactor) {

    private static final Set<String> CREDENTIALS =
            names(Set.of("Authorization", "Proxy-Authorization", "Cookie", "Cookie2", "X-Api-Key"));

    /** Headers that are kept by default: they describe the body and the client, and hold no credentials. */
    public static final Set<String> DEFAULT_HEADERS = Set.of(
            "Accept",
            "Content-Encoding",
            "Content-Language",
            "Content-Length",
            "Content-Type",
            "User-Agent",
            "X-Request-Id");

    public static final KeptRequestPolicy DEFAULT = new KeptRequestPolicy(
            KeptRequestRule.ENCRYPTED, 16 << 10, DEFAULT_HEADERS, List.of(), KeptRequestRedactor.NONE);

    public KeptRequestPolicy {
        if (maxBytes < 0) {
            throw new IllegalArgumentException("max-kept-request-bytes must not be negative, but is " + maxBytes + ".");
        }
        headers = names(headers);
        for (String name : headers) {
            if (CREDENTIALS.contains(name)) {
                throw new IllegalArgumentException("kept-request-headers holds " + name
                        + ", which carries credentials and is never kept. Remove it.");
            }
        }
        redactedFields = List.copyOf(redactedFields);
        for (String field : redactedFields) {
            if (!field.startsWith("/")
                    || field.replace("~0", "").replace("~1", "").contains("~")) {
                throw new IllegalArgumentException("redacted-fields holds '" + field
                        + "', which is not a JSON pointer to a field. Write it like /card/number or /items/*/iban.");
            }
        }
    }

    public KeptRequestPolicy with(KeptRequestRule other) {
        return new KeptRequestPolicy(other, maxBytes, headers, redactedFields, redactor);
    }

    public KeptRequestPolicy withMaxBytes(int bytes) {
        return new KeptRequestPolicy(rule, bytes, headers, redactedFields, redactor);
    }

    /** Replaces the kept headers. */
    public KeptRequestPolicy withHeaders(Set<String> names) {
        return new KeptRequestPolicy(rule, maxBytes, names, redactedFields, redactor);
    }

    public KeptRequestPolicy withRedactedFields(List<String> pointers) {
        return new KeptRequestPolicy(rule, maxBytes, headers, pointers, redactor);
    }

    /** Adds redacted fields to those that are redacted already. */
    public KeptRequestPolicy addRedactedFields(List<String> pointers) {
        return withRedactedFields(Stream.concat(redactedFields.stream(), pointers.stream())
                .distinct()
                .toList());
    }

    public KeptRequestPolicy with(KeptRequestRedactor other) {
        return new KeptRequestPolicy(rule, maxBytes, headers, redactedFields, other);
    }

    private static Set<String> names(Set<String> some) {
        var names = new TreeSet<String>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(some);
        return names;
    }
}
