package dev.refrain.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RedisServerTest {

    @Test
    void acknowledgedWriteSurvivesAKill() {
        try (var server = RedisServer.start()) {
            assertThat(server.command("SET", "key", "value")).isEqualTo("+OK");

            server.killHard();

            assertThatThrownBy(() -> server.command("PING")).isInstanceOf(TestServerException.class);
            server.restart();
            assertThat(server.command("EXISTS", "key")).isEqualTo(":1");
        }
    }

    @Test
    void settingsReachTheServerAndWrongOnesAreReported() {
        try (var server = RedisServer.start(Map.of("appendonly", "no"))) {
            server.command("SET", "key", "value");
            server.restart();
            assertThat(server.command("EXISTS", "key")).isEqualTo(":0");
        }
        assertThatThrownBy(() -> RedisServer.start(Map.of("no-such-setting", "on")))
                .isInstanceOf(TestServerException.class)
                .hasMessageContaining("no-such-setting");
    }

    @Test
    void serverEndsWhenItsJvmIsKilled() throws Exception {
        Process jvm = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        RedisInAnotherJvm.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        long server;
        try (var output = jvm.inputReader()) {
            server = Long.parseLong(output.lines().findFirst().orElseThrow());
            assertThat(ProcessHandle.of(server)).isPresent();

            jvm.destroyForcibly().waitFor();
        }

        await().until(() -> ProcessHandle.of(server).filter(Postmaster::runs).isEmpty());
    }
}
