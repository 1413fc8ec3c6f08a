package dev.refrain.gateway;

import dev.refrain.gateway.internal.scope.GatewayScopeResolver;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;

/**
 * Refuses requests that would mean something else to the upstream, because what belongs to a single connection is not forwarded: transfer
 * codings, and every header that {@code Connection} names. Immutable.
 */
final class ForwardableHeadCheck {

    private static final List<String> END_TO_END = List.of(
            "Host",
            "Authorization",
            "Cookie",
            "Cache-Control",
            "Content-Encoding",
            "Content-Length",
            "Content-Range",
            "Content-Type",
            "Forwarded",
            "Idempotency-Key",
            "If-Match",
            "If-Modified-Since",
            "If-None-Match",
            "If-Range",
            "If-Unmodified-Since",
            "Prefer",
            "Range",
            "Via",
            "X-Forwarded-For",
            "X-Forwarded-Host",
            "X-Forwarded-Proto");

    private final NavigableSet<String> endToEnd = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    /** @param keyHeaders the headers in which routes look for keys */
    ForwardableHeadCheck(GatewayScopeResolver scopes, Collection<String> keyHeaders) {
        endToEnd.addAll(END_TO_END);
        endToEnd.addAll(scopes.headers());
        endToEnd.addAll(keyHeaders);
    }

    /** Status and explanation of a refusal. */
    record HeadRefusal(int status, String detail) {}

    Optional<HeadRefusal> refusal(Request request) {
        if (hasUnknownTransferCoding(request)) {
            return Optional.of(
                    new HeadRefusal(
                            HttpStatus.NOT_IMPLEMENTED_501,
                            "Transfer-Encoding has a coding other than chunked, which this gateway does not decode. Nothing was forwarded."
                                    + " Send the body chunked or with a Content-Length; a compressed one needs a Content-Encoding."));
        }
        return namedByConnection(request).stream()
                .map(this::endToEndName)
                .flatMap(Optional::stream)
                .findFirst()
                .map(name -> new HeadRefusal(
                        HttpStatus.BAD_REQUEST_400,
                        "Connection names " + name
                                + ", which would remove it from the forwarded request. Nothing was forwarded. Name only headers of this"
                                + " connection there."));
    }

    /** Returns the name as it is known here, never the text of the client. */
    private Optional<String> endToEndName(String name) {
        return Optional.ofNullable(endToEnd.ceiling(name)).filter(name::equalsIgnoreCase);
    }

    private static boolean hasUnknownTransferCoding(Request request) {
        return request.getHeaders().getCSV(HttpHeader.TRANSFER_ENCODING, true).stream()
                .anyMatch(coding -> !coding.equalsIgnoreCase("chunked"));
    }

    /** Returns the names in both readings of a list with quotes, which are not allowed there: split at every comma, and unquoted. */
    private static List<String> namedByConnection(Request request) {
        var names = new ArrayList<>(request.getHeaders().getCSV(HttpHeader.CONNECTION, false));
        for (String line : request.getHeaders().getValuesList(HttpHeader.CONNECTION)) {
            for (String name : line.split(",", -1)) {
                names.add(name.strip());
            }
        }
        return names;
    }
}
