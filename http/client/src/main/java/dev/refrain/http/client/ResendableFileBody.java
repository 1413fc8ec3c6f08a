package dev.refrain.http.client;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Request body in a file. */
record ResendableFileBody(Path file) implements ResendableBody {

    @Override
    public BodyPublisher publisher() throws FileNotFoundException {
        return BodyPublishers.ofFile(file);
    }

    @Override
    public byte[] bytes() throws IOException {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException missing) {
            throw new FileNotFoundException(missing.getMessage());
        }
    }
}
