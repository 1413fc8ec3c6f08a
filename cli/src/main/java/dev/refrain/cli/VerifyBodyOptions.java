package dev.refrain.cli;

import dev.refrain.verify.SampleBodies;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of {@code refrain verify} for the request bodies it sends. */
final class VerifyBodyOptions {

    @Option(
            names = "--body",
            paramLabel = "TEXT|@FILE|@-",
            description = "Valid request body: the text itself, @FILE, or @- for standard input. {{uuid}} and {{n}} (a "
                    + "counter) are replaced for each new request.")
    private @Nullable String body;

    @Option(
            names = "--mismatch-body",
            paramLabel = "TEXT|@FILE",
            description =
                    "Different body to send under a used key (default: --body with new {{uuid}} and {{n}}, or with its "
                            + "first number increased by one).")
    private @Nullable String mismatchBody;

    @Option(
            names = "--failing-body",
            paramLabel = "TEXT|@FILE",
            description = "Body that the API rejects with a 4xx while processing it, for example a declined card.")
    private @Nullable String failingBody;

    SampleBodies bodies(InputStream standardInput) {
        var bodies = SampleBodies.of(body == null ? "" : read(body, standardInput));
        if (mismatchBody != null) {
            bodies = bodies.other(read(mismatchBody, standardInput));
        }
        return failingBody == null ? bodies : bodies.failing(read(failingBody, standardInput));
    }

    boolean readsStandardInput() {
        return "@-".equals(body) || "@-".equals(mismatchBody) || "@-".equals(failingBody);
    }

    private static String read(String text, InputStream standardInput) {
        if (!text.startsWith("@")) {
            if (isFile(text)) {
                throw CommandFailedException.usage("'" + text + "' is a file: use @" + text + " to send its contents.");
            }
            return text;
        }
        String name = text.substring(1);
        try {
            return name.equals("-")
                    ? new String(standardInput.readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(name));
        } catch (IOException | InvalidPathException e) {
            throw CommandFailedException.usage("Cannot read the body from " + name
                    + ": check that it is a regular file and that you have permission to read it.");
        }
    }

    private static boolean isFile(String text) {
        try {
            return !text.isEmpty() && Files.isRegularFile(Path.of(text));
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
