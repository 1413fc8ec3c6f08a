package dev.refrain.gateway.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewayConfigReloaderTest {

    private static final String GOOD = "gateway: {upstream: 'http://localhost:1'}\nrefrain: {scope: shared}\n";

    @TempDir
    private Path folder;

    private final Queue<ReloadableGatewayConfig> applied = new ConcurrentLinkedQueue<>();
    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    private void change(Path file, String text, int sentences) throws Exception {
        // At once: a file of which half is there for a while is another configuration.
        var whole = Files.writeString(folder.resolve("whole.yaml"), text);
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
        await().until(() -> told.size() == sentences);
    }

    @Test
    void changeIsAppliedAndOneThatIsWrongChangesNothing() throws Exception {
        var file = folder.resolve("gateway.yaml");
        Files.writeString(file, GOOD);
        var reader = new GatewayConfigReader(CommandLineOverrides.NONE, Map.of());
        try (var reloading = new GatewayConfigReloader(
                file, reader, reader.read(file), Duration.ofMillis(20), applied::add, told::add)) {
            change(file, GOOD.replace("localhost:1", "localhost:2"), 1);
            assertThat(applied).hasSize(1);
            assertThat(applied.element().target().address().getPort()).isEqualTo(2);

            change(file, GOOD.replace("shared", "everyone"), 2);
            assertThat(told).last().asString().contains("the previous one stays active", "refrain.scope");
            assertThat(applied).hasSize(1);

            change(file, GOOD.replace("{upstream", "{listen: 1234, upstream"), 3);
            assertThat(told).last().asString().contains("restart");
            assertThat(applied).hasSize(1);

            Files.delete(file);
            change(file, GOOD, 4);
            assertThat(applied).hasSize(2);
        }
    }
}
