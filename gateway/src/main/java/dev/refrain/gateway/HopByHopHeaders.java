package dev.refrain.gateway;

import dev.refrain.api.AnswerHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;

/** Headers that are not forwarded: those of a single connection, and those that the upstream sends to the gateway alone. */
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

    static List<AnswerHeader> removeFrom(HttpFields answer) {
        var hops = names(answer);
        var kept = new ArrayList<AnswerHeader>(answer.size());
        for (var field : answer) {
            if (!hops.contains(field.getName())) {
                kept.add(new AnswerHeader(field.getName(), value(field)));
            }
        }
        return kept;
    }

    /** Returns the names of all hop-by-hop headers, those that {@code Connection} lists included. */
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
