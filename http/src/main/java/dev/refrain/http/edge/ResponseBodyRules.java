package dev.refrain.http.edge;

import java.util.List;
import java.util.Locale;

/** What the head of an answer says about its body. */
public final class ResponseBodyRules {

    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    private static final List<String> STREAMS = List.of("text/event-stream", "multipart/x-mixed-replace");

    private ResponseBodyRules() {}

    /** Whether an answer with this status has a body, and so a length. */
    public static boolean hasBody(int status) {
        return status >= 200 && status != NO_CONTENT && status != NOT_MODIFIED;
    }

    /** Whether a body of this type is made to be read while it is written: it is never held back. */
    public static boolean isStream(String contentType) {
        String type = contentType.toLowerCase(Locale.ROOT);
        return STREAMS.stream().anyMatch(type::startsWith);
    }
}
