package dev.refrain.trials.kills;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Ledger of the provider: appended, synced, never changed. */
final class ProviderLedger implements AutoCloseable {

    /** @param derived the key it was sent under; {@code -} where the provider is one that knows no keys */
    record Effect(String key, String derived, String charge) {

        String line() {
            return String.join("\t", key, derived, charge);
        }

        static Effect parse(String line) {
            String[] part = line.split("\t", -1);
            return new Effect(part[0], part[1], part[2]);
        }
    }

    static final String NO_KEY = "-";

    private final Path path;
    private final FileChannel file;
    private final List<Effect> effects = new ArrayList<>();
    private int repeats;

    ProviderLedger(Path path) throws IOException {
        this.path = path;
        this.file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /** Charges once for each derived key, and every time where there is none. */
    synchronized Effect charge(String key, String derived) throws IOException {
        Optional<Effect> before = derived.equals(NO_KEY)
                ? Optional.empty()
                : effects.stream().filter(e -> e.derived.equals(derived)).findFirst();
        if (before.isPresent()) {
            repeats++;
            return before.get();
        }
        var effect = new Effect(key, derived, "charge-" + UUID.randomUUID());
        file.write(ByteBuffer.wrap((effect.line() + "\n").getBytes(StandardCharsets.UTF_8)));
        file.force(false);
        effects.add(effect);
        return effect;
    }

    synchronized Optional<Effect> find(String key) {
        return effects.stream().filter(e -> e.key.equals(key)).findFirst();
    }

    /** Returns how often a key was sent again without effect, each of which would have been a second charge. */
    synchronized int repeats() {
        return repeats;
    }

    /** Reads the ledger from disk. */
    List<Effect> read() {
        try {
            return Files.readAllLines(path).stream().map(Effect::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("The ledger can't be read", e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
