package dev.refrain.http.internal.body;

import java.util.List;
import java.util.Locale;

/** Facts about a response body that follow from the status and the content type. */
public final class ResponseBodyRules {

    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    private static final List<String> STREAMS = List.of("text/event-stream", "multipart/x-mixed-replace");

    private ResponseBodyRules() {}

    /** Returns true if a response with this status has a body and so a length. */
    public static boolean hasBody(int status) {
        return status >= 200 && status != NO_CONTENT && status != NOT_MODIFIED;
    }

    /** Returns true if a body of this type is a stream that clients read while it is written; such a body is never buffered. */
    public static boolean isStream(String contentType) {
        String type = contentType.toLowerCase(Locale.ROOT);
        return STREAMS.stream().anyMatch(type::startsWith);
    }
}
