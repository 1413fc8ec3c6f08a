package dev.refrain.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.servers.DynamoDbLocal;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreLocation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Tests stores that are opened by their URL alone, as the gateway and the command line do. */
@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs DynamoDB Local: -Pstores")
class DynamoDbStoreOpenerTest {

    private static DynamoDbLocal server;

    @BeforeAll
    static void startServer() {
        server = DynamoDbLocal.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static StoreLocation at(String table, String parameters) {
        return StoreLocation.of("dynamodb://eu-central-1/" + table + "?endpoint=" + server.endpoint() + parameters)
                .login("any", "any");
    }

    @Test
    void missingTableIsCreatedWithItsTimeToLiveUnlessThatIsForbidden() {
        assertThatThrownBy(() -> at("created", "").migrate(false).open())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("There is no table created")
                .hasMessageContaining("refrain migrate");

        at("created", "&timeout=2s&clock-allowance=10s").open().close();
        at("created", "").migrate(false).open().close();

        try (var client = DynamoDbStoreHarness.client(server.endpoint())) {
            var timeToLive = client.describeTimeToLive(request -> request.tableName("created"))
                    .timeToLiveDescription();
            assertThat(timeToLive.attributeName()).isEqualTo("ttl");
        }
    }

    @Test
    void tableOfSomebodyElseIsRefused() {
        try (var client = DynamoDbStoreHarness.client(server.endpoint())) {
            client.createTable(request -> request.tableName("orders")
                    .attributeDefinitions(AttributeDefinition.builder()
                            .attributeName("id")
                            .attributeType(ScalarAttributeType.S)
                            .build())
                    .keySchema(KeySchemaElement.builder()
                            .attributeName("id")
                            .keyType(KeyType.HASH)
                            .build())
                    .provisionedThroughput(units -> units.readCapacityUnits(1L).writeCapacityUnits(1L)));
        }

        assertThatThrownBy(() -> at("orders", "").open())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("Table orders was not made by Refrain");
    }

    @ParameterizedTest
    @CsvSource({
        "&timeout=2, 'timeout is a time such as 200ms or 2s'",
        "&key-prefix=shop, has the parameter 'key-prefix'",
        "&endpoint=localhost, 'endpoint is an address such as http://localhost:8000'"
    })
    void wrongParameterIsRefusedInASentence(String parameters, String sentence) {
        assertThatThrownBy(() -> at("created", parameters).open())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void urlWithoutATableAndASchemaAreRefused() {
        assertThatThrownBy(() -> StoreLocation.of("dynamodb://eu-central-1").open())
                .hasMessageContaining("Write dynamodb://REGION/TABLE");
        assertThatThrownBy(() -> at("created", "").schema("shop").open())
                .hasMessageContaining("DynamoDB has no schemas");
    }
}
