package dev.refrain.http.client;

import java.io.FileNotFoundException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;

/** A body in a file. */
record FileBody(Path file) implements Body {

    @Override
    public BodyPublisher publisher() throws FileNotFoundException {
        return BodyPublishers.ofFile(file);
    }
}
