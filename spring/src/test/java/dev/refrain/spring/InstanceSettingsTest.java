package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome.Answer;
import dev.refrain.api.QuotaReachedException;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.store.memory.MemoryStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What holds for the whole application is set by properties. */
class InstanceSettingsTest {

    private final MemoryStore store = new MemoryStore();
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(RefrainAutoConfiguration.class))
            .withBean(MemoryStore.class, () -> store);

    @BeforeEach
    void theScopeHoldsAKeyAlready() throws Exception {
        try (var before = Refrain.using(store)) {
            run(before, "first-key");
        }
    }

    private static Answer run(Refrain refrain, String key) throws Exception {
        return refrain.operation("pay")
                .leased(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope("one").key(key).request("the request"), claim -> Answer.of(201, new byte[0]));
    }

    @Test
    void scopeThatHasItsQuotaGetsNoFurtherKey() {
        application.withPropertyValues("refrain.max-keys-per-scope=1").run(context -> {
            var refrain = context.getBean(Refrain.class);
            assertThatThrownBy(() -> run(refrain, "second-key")).isInstanceOf(QuotaReachedException.class);
        });
    }

    @Test
    void withoutPropertiesThereIsNoQuota() {
        application.run(context -> {
            assertThat(run(context.getBean(Refrain.class), "second-key").status())
                    .isEqualTo(201);
        });
    }

    @Test
    void bodiesHaveABudget() {
        application
                .withPropertyValues("refrain.max-buffered-bytes=12MB")
                .run(context -> assertThat(context.getBean(BufferBudget.class).maxBytes())
                        .isEqualTo(12 << 20));
        application.run(
                context -> assertThat(context.getBean(BufferBudget.class).maxBytes())
                        .isEqualTo(Runtime.getRuntime().maxMemory() / 4));
        application
                .withPropertyValues("refrain.max-buffered-bytes=0")
                .run(context ->
                        assertThat(context).getFailure().hasStackTraceContaining("refrain.max-buffered-bytes is 0"));
    }

    @Test
    void wrongBoundIsNamed() {
        application
                .withPropertyValues("refrain.waiters.per-scope=-1")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("waiters.per-scope"));
    }
}
