package dev.refrain.http.edge;

import dev.refrain.api.AnswerHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Selects the response headers to store: all except those that belong to one connection, one client or one moment. */
final class StoredHeaderFilter {

    private static final Set<String> NEVER_KEPT = names(Set.of(
            "Connection",
            "Keep-Alive",
            "Proxy-Connection",
            "Proxy-Authenticate",
            "Proxy-Authorization",
            "TE",
            "Trailer",
            "Transfer-Encoding",
            "Upgrade",
            "Content-Length",
            "Set-Cookie",
            "Set-Cookie2",
            "Date",
            RouteProtection.REPLAYED));

    private StoredHeaderFilter() {}

    /** Returns the headers to store; also drops those that the {@code Connection} header lists as hop-by-hop. */
    public static List<AnswerHeader> storable(List<AnswerHeader> headers, Set<String> hidden) {
        var left = names(NEVER_KEPT);
        left.addAll(hidden);
        for (var header : headers) {
            if (header.name().equalsIgnoreCase("Connection")) {
                for (String name : header.value().split(",", -1)) {
                    left.add(name.strip());
                }
            }
        }
        var kept = new ArrayList<AnswerHeader>(headers.size());
        for (var header : headers) {
            if (!left.contains(header.name())) {
                kept.add(header);
            }
        }
        return kept;
    }

    /** Returns true if a header of this name, which is case-insensitive, is stored in no case. */
    static boolean isNeverStored(String name) {
        return NEVER_KEPT.contains(name);
    }

    private static Set<String> names(Set<String> some) {
        var names = new TreeSet<String>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(some);
        return names;
    }
}
