package dev.refrain.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.servers.RedisServer;
import dev.refrain.store.StoreAbility;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of {@code docs/stores.md} about Redis is what the store says of itself. */
class RedisPageTest {

    @Test
    void tableIsWhatTheStoreSaysOfItself() throws IOException {
        try (var server = RedisServer.start();
                var store = RedisStore.at(server.url())) {
            var traits = store.traits();

            assertThat(Files.readString(Path.of("../../docs/stores.md"))).contains("""
                    | | Redis |
                    |---|---|
                    | correct | %s |
                    | durable | %s |
                    | clock | %s |
                    | largest batch (rows) | %d |
                    | batches under way at once | %d |
                    | largest payload (bytes) | %d |
                    | %s | yes |
                    | %s | no |
                    """.formatted(
                            yesOrNo(traits.correct()),
                            yesOrNo(traits.durable()),
                            traits.clock(),
                            traits.limits().batchRows(),
                            traits.limits().concurrentBatches(),
                            traits.limits().payloadBytes(),
                            abilities(store, true),
                            abilities(store, false)));
        }
    }

    private static String abilities(RedisStore store, boolean there) {
        return Arrays.stream(StoreAbility.values())
                .filter(ability -> ability.isIn(store) == there)
                .map(StoreAbility::label)
                .collect(Collectors.joining(", "));
    }

    private static String yesOrNo(boolean value) {
        return value ? "yes" : "no";
    }
}
