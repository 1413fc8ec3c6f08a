package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.annotation.Transactional;

/** A retried method that changes something and is not protected is named. */
class UnprotectedRetryDetectorTest {

    static class Payments {
        @BootRetries.Retried
        public void charge() {}

        @BootRetries.Retried
        public void issueInvoice() {}

        @BootRetries.Retried
        public void findPayment() {}

        @BootRetries.Retried
        @Transactional(readOnly = true)
        public void sumUp() {}

        @BootRetries.Retried
        @SafeToRepeat("the mail server drops duplicates")
        public void mail() {}

        @BootRetries.Retried
        @Idempotent(key = "'k'", mode = Idempotent.Mode.LEASED_RESUME)
        public void refund() {}

        public void once() {}
    }

    @Test
    void onlyWhatMayDoHarmIsNamed() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(RefrainAutoConfiguration.class))
                .withBean(MemoryStore.class, MemoryStore::new)
                .withBean(Payments.class)
                .run(context -> assertThat(
                                context.getBean(UnprotectedRetryDetector.class).unprotected())
                        .containsExactly("Payments.charge", "Payments.issueInvoice"));
    }
}
