package dev.refrain.spring.actuator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.spring.BootParts;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.RefrainStores;
import dev.refrain.store.StoreException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.sqlite.SQLiteDataSource;

/** An operator sees every store by its name; with one store everything is called as before. */
class NamedStoreObservationTest {

    @TempDir
    Path directory;

    private SQLiteDataSource database(String name) {
        var source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + directory.resolve(name + ".db"));
        return source;
    }

    private final ApplicationContextRunner one = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(RefrainAutoConfiguration.class, RefrainObservationAutoConfiguration.class))
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
            .withBean("orders", DataSource.class, () -> database("orders"), bean -> bean.setPrimary(true));

    private ApplicationContextRunner two() {
        return one.withBean("bulk", DataSource.class, () -> database("bulk"))
                .withPropertyValues("refrain.stores.bulk.data-source=bulk");
    }

    private static void run(Refrain refrain, String operation) {
        refrain.operation(operation, String.class)
                .leased(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope("").key("k").request("request"), claim -> "done");
    }

    private static MeterRegistry bound(ApplicationContext context) {
        var registry = context.getBean(MeterRegistry.class);
        context.getBeansOfType(MeterBinder.class).values().forEach(binder -> binder.bindTo(registry));
        return registry;
    }

    @Test
    void metersOfSeveralStoresSayWhich() {
        two().run(context -> {
            run(context.getBean(RefrainStores.class).refrain(""), "pay");
            run(context.getBean(RefrainStores.class).refrain("bulk"), "load");

            var registry = bound(context);
            assertThat(registry.get("refrain.run")
                            .tags("operation", "pay", "store", "default")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("refrain.run")
                            .tags("operation", "load", "store", "bulk")
                            .timer()
                            .count())
                    .isEqualTo(1);
            for (String gauge : new String[] {"refrain.attention", "refrain.store.connections.held"}) {
                assertThat(registry.get(gauge).gauges())
                        .as(gauge)
                        .extracting(meter -> meter.getId().getTag("store"))
                        .containsExactlyInAnyOrder("default", "bulk");
            }
        });
    }

    @Test
    void metersOfOneStoreHaveNoStore() {
        one.run(context -> {
            run(context.getBean(Refrain.class), "pay");

            assertThat(bound(context).getMeters())
                    .isNotEmpty()
                    .allSatisfy(
                            meter -> assertThat(meter.getId().getTag("store")).isNull());
        });
    }

    private static void sql(DataSource source, String statement) throws SQLException {
        try (var connection = source.getConnection();
                var asked = connection.createStatement()) {
            asked.execute(statement);
        }
    }

    @Test
    void everyStoreHasHealthOfItsOwn() {
        two().run(context -> {
            sql(context.getBean("bulk", DataSource.class), "ALTER TABLE refrain_record RENAME TO hidden");

            assertThat(BootParts.statusOf(context.getBean("refrainStoresHealthContributor"), "bulk"))
                    .isEqualTo("DOWN");
            assertThat(context.getBean(RefrainHealthIndicator.class)
                            .health()
                            .getStatus()
                            .getCode())
                    .isEqualTo("UP");
        });
        one.run(context -> assertThat(context).doesNotHaveBean("refrainStoresHealthContributor"));
    }

    @Test
    void actuatorShowsTheStoreThatIsAskedFor() {
        two().run(context -> {
            sql(context.getBean("bulk", DataSource.class), "ALTER TABLE refrain_record RENAME TO hidden");
            var endpoint = context.getBean(RefrainActuatorEndpoint.class);

            assertThat(endpoint.overview(null).attention()).isEmpty();
            assertThat(endpoint.overview("default").attention()).isEmpty();
            assertThatThrownBy(() -> endpoint.overview("bulk")).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> endpoint.overview("bluk"))
                    .isInstanceOf(InvalidEndpointRequestException.class)
                    .hasMessageContainingAll("'bluk'", "the store bulk");
        });
    }
}
