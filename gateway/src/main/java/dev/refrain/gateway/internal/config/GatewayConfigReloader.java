package dev.refrain.gateway.internal.config;

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
    private final Consumer<String> report;
    private final GatewayConfig.StartupConfig startup;
    private final Thread poller;
    private String seen;
    private String before;

    /**
     * @param running what the gateway was started with
     * @param report takes a sentence on what became of a change
     */
    public GatewayConfigReloader(
            Path file,
            GatewayConfigReader reader,
            GatewayConfig running,
            Duration every,
            Consumer<ReloadableGatewayConfig> apply,
            Consumer<String> report)
            throws IOException {
        this.file = file;
        this.reader = reader;
        this.startup = running.startup();
        this.apply = apply;
        this.report = report;
        this.seen = Files.readString(file);
        this.before = seen;
        this.poller = Thread.ofVirtual().name("gateway-configuration").start(() -> pollEvery(every));
    }

    private void pollEvery(Duration every) {
        try {
            while (true) {
                Thread.sleep(every);
                pollOnce();
            }
        } catch (InterruptedException closed) {
            // There is nobody to report to any more.
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
            if (!config.startup().hasSameSettings(startup)) {
                report.accept(
                        "The configuration changes settings that need a restart (listen, admin, tls, access-log, store, chores, connections and limits). Nothing was applied; restart the gateway.");
                return;
            }
            apply.accept(config.reloadable());
            report.accept(
                    "Configuration reloaded: " + config.reloadable().routes().size() + " protected routes.");
        } catch (RuntimeException unusable) {
            report.accept(
                    "The changed configuration is invalid; the previous one stays active: " + unusable.getMessage());
        }
    }

    @Override
    public void close() {
        poller.interrupt();
    }
}
