package dev.refrain.gateway;

import dev.refrain.api.OutcomeHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;

/** Headers that belong to one connection, and what the service behind tells the gateway alone: none of them goes on. */
final class HopByHopHeaders {

    private static final List<String> ALWAYS = List.of(
            "Connection",
            "Keep-Alive",
            "Proxy-Authenticate",
            "Proxy-Authorization",
            "Proxy-Connection",
            "TE",
            "Trailer",
            "Transfer-Encoding",
            "Upgrade",
            UpstreamOutcomeHeader.HEADER);

    private HopByHopHeaders() {}

    static List<OutcomeHeader> removeFrom(HttpFields answer) {
        var hops = names(answer);
        var kept = new ArrayList<OutcomeHeader>(answer.size());
        for (var field : answer) {
            if (!hops.contains(field.getName())) {
                kept.add(new OutcomeHeader(field.getName(), value(field)));
            }
        }
        return kept;
    }

    /** Whoever names a header in {@code Connection} says that it is for this connection only. */
    static Set<String> names(HttpFields answer) {
        var names = new TreeSet<String>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(ALWAYS);
        for (String name : answer.getCSV("Connection", false)) {
            names.add(name);
        }
        return names;
    }

    private static String value(HttpField field) {
        String value = field.getValue();
        return value == null ? "" : value;
    }
}
