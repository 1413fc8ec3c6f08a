package dev.refrain.http.servlet;

import dev.refrain.api.Payload;
import dev.refrain.http.edge.BufferReservation;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/** Request body, read once, up to a limit. */
sealed interface ServletRequestBody {

    /** Returns the request for the handler, its body still readable. */
    HttpServletRequest unread();

    /** The complete body. */
    record Whole(Payload bytes, HttpServletRequest unread) implements ServletRequestBody {}

    /** A body larger than the limit. */
    record TooLarge(HttpServletRequest unread) implements ServletRequestBody {}

    /** A body for which there is no memory. */
    record NoMemory(HttpServletRequest unread) implements ServletRequestBody {}

    static ServletRequestBody read(HttpServletRequest request, int limit, BufferReservation memory) throws IOException {
        return ServletBodyReader.read(request, limit, memory);
    }
}
