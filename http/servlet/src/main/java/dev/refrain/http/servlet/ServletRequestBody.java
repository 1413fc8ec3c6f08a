package dev.refrain.http.servlet;

import dev.refrain.api.Payload;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/** The body of a request, read once, within a limit. */
sealed interface ServletRequestBody {

    /** The request as a handler expects it, its body there to be read. */
    HttpServletRequest unread();

    /** All of it. */
    record Whole(Payload bytes, HttpServletRequest unread) implements ServletRequestBody {}

    /** More than the limit. */
    record TooLarge(HttpServletRequest unread) implements ServletRequestBody {}

    static ServletRequestBody read(HttpServletRequest request, int limit) throws IOException {
        return ServletBodyReader.read(request, limit);
    }
}
