package dev.refrain.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.servers.DynamoDbLocal;
import dev.refrain.store.Store;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The table of {@code docs/stores.md} about DynamoDB is what the store says of itself. */
@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs DynamoDB Local: -Pstores")
class DynamoDbPageTest {

    @Test
    void tableIsWhatTheStoreSaysOfItself() throws IOException {
        try (var server = DynamoDbLocal.start();
                var store = StoreLocation.of("dynamodb://eu-central-1/page?endpoint=" + server.endpoint())
                        .login("any", "any")
                        .open()) {
            var traits = store.traits();

            assertThat(Files.readString(Path.of("../../docs/stores.md"))).contains("""
                    | | DynamoDB |
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

    private static String abilities(Store store, boolean there) {
        return Arrays.stream(StoreAbility.values())
                .filter(ability -> ability.isIn(store) == there)
                .map(StoreAbility::label)
                .collect(Collectors.joining(", "));
    }

    private static String yesOrNo(boolean value) {
        return value ? "yes" : "no";
    }
}
