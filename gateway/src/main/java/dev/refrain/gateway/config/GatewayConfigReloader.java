package dev.refrain.gateway.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Polls the file and applies it when it has changed. An invalid file changes nothing and is reported once. Polling instead of a watch,
 * because files mounted into containers are often replaced in ways that no watch notices.
 */
public final class GatewayConfigReloader implements AutoCloseable {

    private final Path file;
    private final GatewayConfigReader reader;
    private final Consumer<ReloadableGatewayConfig> apply;
    private final Consumer<String> tell;
    private final GatewayConfig.StartupConfig fixed;
    private final Thread looking;
    private String seen;
    private String before;

    /**
     * @param running what the gateway was started with
     * @param tell takes a sentence on what became of a change
     */
    public GatewayConfigReloader(
            Path file,
            GatewayConfigReader reader,
            GatewayConfig running,
            Duration every,
            Consumer<ReloadableGatewayConfig> apply,
            Consumer<String> tell)
            throws IOException {
        this.file = file;
        this.reader = reader;
        this.fixed = running.startup();
        this.apply = apply;
        this.tell = tell;
        this.seen = Files.readString(file);
        this.before = seen;
        this.looking = Thread.ofVirtual().name("gateway-configuration").start(() -> look(every));
    }

    private void look(Duration every) {
        try {
            while (true) {
                Thread.sleep(every);
                pollOnce();
            }
        } catch (InterruptedException closed) {
            // There is nobody to tell any more.
        }
    }

    private void pollOnce() {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException away) {
            // Between a removal and a renaming there is none. If it stays away, what holds goes on to hold.
            return;
        }
        // A file that is being written is read in halves: what counts is what stays.
        boolean stays = text.equals(before);
        before = text;
        if (stays && !text.equals(seen)) {
            seen = text;
            changed(text);
        }
    }

    private void changed(String text) {
        try {
            var config = reader.read(text);
            if (!config.startup().hasSameSettings(fixed)) {
                tell.accept(
                        "The configuration has changed in what cannot change while the gateway runs (listen, admin, tls, access-log, store, chores, connections and limits): restart it. What held before holds.");
                return;
            }
            apply.accept(config.reloadable());
            tell.accept("The configuration has changed: "
                    + config.reloadable().routes().size() + " routes are protected from now on.");
        } catch (RuntimeException unusable) {
            tell.accept("The new configuration cannot be used, what held before holds: " + unusable.getMessage());
        }
    }

    @Override
    public void close() {
        looking.interrupt();
    }
}
