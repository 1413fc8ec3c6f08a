package dev.refrain.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.RecordState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of the threat model about the console. */
class ConsoleSecurityTest {

    private static final String PLANTED = "A".repeat(43);

    @TempDir
    private Path folder;

    private ConsoleFixture scene;
    private SimpleBrowser visitor;

    @BeforeEach
    void open() {
        scene = new ConsoleFixture(folder);
        visitor = new SimpleBrowser(scene);
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void plantedSessionIsNotTheSessionAfterSigningIn() {
        visitor.plant("refrain-session", PLANTED);
        visitor.signedIn();

        assertThat(visitor.cookie("refrain-session")).isNotEqualTo(PLANTED);
        var attacker = new SimpleBrowser(scene);
        attacker.plant("refrain-session", PLANTED);
        assertThat(attacker.get("/keys").statusCode()).isEqualTo(401);
    }

    @Test
    void plantedFormTokenIsWorthNothingAfterSigningIn() {
        visitor.plant("refrain-token", PLANTED);
        visitor.signedIn();
        scene.unknown("acme", "k");
        visitor.get(SimpleBrowser.key("", "acme", "k"));

        var forged = visitor.post(
                SimpleBrowser.key("/release", "acme", "k"), Map.of("reason", "because", CsrfGuard.FIELD, PLANTED));

        assertThat(forged.statusCode()).isEqualTo(403);
        assertThat(scene.stored("acme", "k").orElseThrow().state()).isEqualTo(RecordState.ATTENTION);
    }

    @Test
    void openingALinkChangesNothing() {
        var claim = scene.unknown("acme", "k");
        visitor.signedIn();

        for (String act : List.of("/release", "/resolve", "/reveal")) {
            visitor.get(SimpleBrowser.key(act, "acme", "k") + "&reason=because&status=200&body=x");
        }
        visitor.get("/logout");

        var stored = scene.stored("acme", "k").orElseThrow();
        assertThat(stored.state()).isEqualTo(RecordState.ATTENTION);
        assertThat(stored.claim()).isEqualTo(claim);
        assertThat(visitor.get("/keys").statusCode()).isEqualTo(200);
    }

    @Test
    void linkLeadsNowhereElseAndLeaksNoKey() {
        for (String link : List.of(
                "/login?to=https://evil.example",
                "//evil.example/keys",
                "/%5Cevil.example",
                SimpleBrowser.key("", "acme", "secret-key"))) {
            var answer = visitor.get(link);

            assertThat(answer.headers().firstValue("Location")).as(link).isEmpty();
            assertThat(answer.body()).as(link).doesNotContain("evil.example").doesNotContain("secret-key");
            assertThat(answer.headers().firstValue("Referrer-Policy")).as(link).contains("same-origin");
        }
        visitor.get("/");
        var entered = visitor.post(
                "/login?to=https://evil.example",
                Map.of("name", "ann", "password", ConsoleFixture.PASSWORD, "to", "https://evil.example"));
        assertThat(entered.headers().firstValue("Location").orElse("/")).isEqualTo("/");
    }
}
