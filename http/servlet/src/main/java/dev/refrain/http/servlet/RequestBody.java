package dev.refrain.http.servlet;

import dev.refrain.outcome.Payload;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/** The body of a request, read once, within a limit. */
sealed interface RequestBody {

    /** The request as a handler expects it, its body there to be read. */
    HttpServletRequest unread();

    /** All of it. */
    record Whole(Payload bytes, HttpServletRequest unread) implements RequestBody {}

    /** More than the limit. */
    record TooLarge(HttpServletRequest unread) implements RequestBody {}

    static RequestBody read(HttpServletRequest request, int limit) throws IOException {
        return BodyReader.read(request, limit);
    }
}
