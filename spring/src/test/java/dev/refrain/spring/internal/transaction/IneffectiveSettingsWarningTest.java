package dev.refrain.spring.internal.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.servers.PostgresServer;
import dev.refrain.spring.Idempotent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A setting that has no effect, because the transaction of the key began before, is not dropped in silence. */
@ExtendWith(OutputCaptureExtension.class)
class IneffectiveSettingsWarningTest {

    @EnableAutoConfiguration
    static class Application {}

    @Service
    static class Rota {
        @Transactional(isolation = Isolation.SERIALIZABLE, timeout = 1)
        public String goOffCall(String doctor) {
            return doctor;
        }

        @Transactional
        public String goOnCall(String doctor) {
            return doctor;
        }
    }

    @RestController
    record Bare(Rota rota) {
        @PostMapping("/bare")
        @Idempotent(mode = Idempotent.Mode.TRANSACTIONAL)
        public String bare(@RequestBody String doctor) {
            return rota.goOffCall(doctor);
        }
    }

    @RestController
    static class Annotated {
        private final Rota rota;

        Annotated(Rota rota) {
            this.rota = rota;
        }

        @PostMapping("/annotated")
        @Idempotent
        @Transactional(isolation = Isolation.SERIALIZABLE)
        public String annotated(@RequestBody String doctor) {
            return rota.goOffCall(doctor);
        }
    }

    private static void start(Class<?> handler, String... more) {
        new SpringApplicationBuilder(Application.class, Rota.class, handler)
                .web(WebApplicationType.SERVLET)
                .properties(more)
                .run(
                        "--spring.datasource.url=" + PostgresServer.shared().freshDatabase(),
                        "--refrain.scope=shared",
                        "--server.port=0",
                        "--spring.main.banner-mode=off")
                .close();
    }

    @Test
    void settingsOfMethodsThatABareHandlerCallsAreNamedAtStartup(CapturedOutput output) {
        start(Bare.class);

        assertThat(output.getAll())
                .contains("Bare.bare", "these settings have no effect: Rota.goOffCall.")
                .doesNotContain("Rota.goOnCall");
    }

    @Test
    void handlerWithItsOwnAnnotationIsNotWarnedOf(CapturedOutput output) {
        start(Annotated.class);

        assertThat(output.getAll()).doesNotContain("these settings have no effect");
    }
}
