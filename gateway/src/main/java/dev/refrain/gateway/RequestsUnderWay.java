package dev.refrain.gateway;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.eclipse.jetty.server.Request;

/** Requests that are not answered yet, as a log names them. Thread-safe. */
final class RequestsUnderWay {

    private static final int NAMED = 20;

    private final Map<String, String> byId = new ConcurrentHashMap<>();

    /** Adds a request until its answer is sent, or its client is gone. */
    void begin(Request request) {
        String id = id(request);
        byId.put(id, ForwardingLog.target(request));
        Request.addCompletionListener(request, failure -> byId.remove(id));
    }

    /** Names a request that is under way by its key and record too. */
    void name(Request request, ForwardingLog log) {
        byId.replace(id(request), log.request());
    }

    private static String id(Request request) {
        return request.getConnectionMetaData().getId() + " " + request.getId();
    }

    /** Returns how many there are, and which, up to a number that a person reads. */
    @Override
    public String toString() {
        var all = byId.values().stream().sorted().toList();
        return all.size()
                + (all.size() == 1 ? " request: " : " requests: ")
                + all.stream().limit(NAMED).collect(Collectors.joining("; "))
                + (all.size() > NAMED ? "; and " + (all.size() - NAMED) + " more" : "");
    }
}
