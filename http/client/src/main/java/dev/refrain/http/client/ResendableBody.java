package dev.refrain.http.client;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Request body that can be sent any number of times, which a stream cannot. Immutable. */
public sealed interface ResendableBody permits ResendableBytesBody, ResendableFileBody {

    static ResendableBody none() {
        return of(new byte[0]);
    }

    static ResendableBody of(byte[] bytes) {
        return new ResendableBytesBody(bytes);
    }

    static ResendableBody of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Creates a body from a file, which is read for each attempt. The file must not change until the request has a
     * final response; if it does, the server rejects it as a different request under the same key.
     */
    static ResendableBody ofFile(Path file) {
        return new ResendableFileBody(file.toAbsolutePath());
    }

    /** Returns a publisher for one attempt with {@code java.net.http}. */
    BodyPublisher publisher() throws FileNotFoundException;

    /** Returns all bytes, for one attempt. */
    byte[] bytes() throws IOException;
}
