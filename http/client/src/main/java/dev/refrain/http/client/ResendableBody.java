package dev.refrain.http.client;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** What a request carries. It can be sent any number of times, which is why a stream is none. Immutable. */
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
     * What is in a file, read anew by every attempt. The file must stay as it is until the request is answered; if it is
     * changed the server refuses it, because it is another request under the same key.
     */
    static ResendableBody ofFile(Path file) {
        return new ResendableFileBody(file.toAbsolutePath());
    }

    /** For one attempt, of {@code java.net.http}. */
    BodyPublisher publisher() throws FileNotFoundException;

    /** All of it, for one attempt. */
    byte[] bytes() throws IOException;
}
