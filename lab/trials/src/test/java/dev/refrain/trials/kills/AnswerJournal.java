package dev.refrain.trials.kills;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Journal of the answers of a process, which survives SIGKILL: each line goes straight to the kernel. */
final class AnswerJournal {

    private final FileOutputStream file;

    AnswerJournal(Path path) throws IOException {
        file = new FileOutputStream(path.toFile(), true);
    }

    synchronized void write(JournalEntry entry) {
        try {
            file.write((entry.line() + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("The journal can't be written", e);
        }
    }

    static List<JournalEntry> read(Path path) {
        try {
            if (!Files.exists(path)) {
                return List.of();
            }
            String whole = Files.readString(path);
            return whole.substring(0, whole.lastIndexOf('\n') + 1)
                    .lines()
                    .map(JournalEntry::parse)
                    .flatMap(Optional::stream)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("The journal " + path + " can't be read", e);
        }
    }
}
