package dev.refrain.http.edge;

import dev.refrain.api.OutcomeHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Which headers of an answer are kept: all but those that belong to one connection, one client or one moment. */
public final class StoredHeaderFilter {

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

    /** Whoever names a header in {@code Connection} says that it is for this connection only. */
    public static List<OutcomeHeader> storable(List<OutcomeHeader> headers, Set<String> hidden) {
        var left = names(NEVER_KEPT);
        left.addAll(hidden);
        for (var header : headers) {
            if (header.name().equalsIgnoreCase("Connection")) {
                for (String name : header.value().split(",", -1)) {
                    left.add(name.strip());
                }
            }
        }
        var kept = new ArrayList<OutcomeHeader>(headers.size());
        for (var header : headers) {
            if (!left.contains(header.name())) {
                kept.add(header);
            }
        }
        return kept;
    }

    private static Set<String> names(Set<String> some) {
        var names = new TreeSet<String>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(some);
        return names;
    }
}
