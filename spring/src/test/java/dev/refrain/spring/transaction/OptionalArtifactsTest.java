package dev.refrain.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.flow.Completer;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRunner;
import dev.refrain.flow.PhaseResult;
import dev.refrain.outbox.Outbox;
import dev.refrain.spring.RefrainAutoConfiguration;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.sqlite.SQLiteDataSource;

/** Flows, outbox and sagas are artifacts of their own: the starter works with those that are there. */
class OptionalArtifactsTest {

    @TempDir
    Path directory;

    @Test
    void flowsAreCompletedWithoutOutboxAndSagas() {
        without("dev.refrain.outbox", "dev.refrain.saga", "dev.refrain.reconcile")
                .withBean(
                        "orders",
                        Flow.class,
                        () -> Flow.of("orders", String.class, String.class)
                                .phase("started", (tx, at) -> PhaseResult.finish(201, at.request()))
                                .build())
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(FlowRunner.class)
                        .hasSingleBean(Completer.class));
    }

    @Test
    void messagesAreStagedWithoutFlowsAndSagas() {
        without("dev.refrain.flow", "dev.refrain.saga", "dev.refrain.reconcile")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Outbox.class)
                        .hasSingleBean(TransactionalOutbox.class));
    }

    private ApplicationContextRunner without(String... packages) {
        var source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + directory.resolve("shop.db"));
        return new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader(packages))
                .withConfiguration(AutoConfigurations.of(
                        RefrainAutoConfiguration.class,
                        RefrainOutboxAutoConfiguration.class,
                        RefrainSagaAutoConfiguration.class,
                        RefrainFlowAutoConfiguration.class))
                .withBean(DataSource.class, () -> source)
                .withPropertyValues("refrain.scope=shared");
    }
}
