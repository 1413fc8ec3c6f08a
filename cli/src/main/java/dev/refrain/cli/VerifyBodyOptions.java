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

/** What {@code refrain verify} sends as bodies. */
final class VerifyBodyOptions {

    @Option(
            names = "--body",
            paramLabel = "TEXT|@FILE|@-",
            description =
                    "A request that the API takes: the text itself, @FILE, or @- for standard input. {{uuid}} and {{n}} (a growing number) in it are filled anew for each intent.")
    private @Nullable String body;

    @Option(
            names = "--mismatch-body",
            paramLabel = "TEXT|@FILE",
            description =
                    "Another request, for a key that is used. Without it: --body filled anew, or its first number plus one.")
    private @Nullable String mismatchBody;

    @Option(
            names = "--failing-body",
            paramLabel = "TEXT|@FILE",
            description = "A request whose work fails with a 4xx, such as a card that is declined.")
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
                throw CommandFailedException.usage(
                        "'" + text + "' is a file: say @" + text + " to send what is in it.");
            }
            return text;
        }
        String name = text.substring(1);
        try {
            return name.equals("-")
                    ? new String(standardInput.readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(name));
        } catch (IOException | InvalidPathException e) {
            throw CommandFailedException.usage("The body cannot be read: is " + name + " a file, and may you read it?");
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
