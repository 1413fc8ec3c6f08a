package dev.refrain.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.Payload;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LargeBodyTurnsTest {

    private static final Payload LARGE = Payload.of(new byte[100_000]);
    private static final Payload SMALL = Payload.of(new byte[1_000]);

    private final LargeBodyTurns turns = new LargeBodyTurns(1);

    private InputStream open(Payload body) {
        try {
            return turns.of(body).open();
        } catch (java.io.IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void largeBodiesAreReadOneAfterTheOther() throws Exception {
        var first = open(LARGE);
        var second = CompletableFuture.supplyAsync(() -> open(LARGE), Thread::startVirtualThread);

        assertThat(open(SMALL).readAllBytes())
                .as("a small one waits for nobody")
                .hasSize(1_000);
        assertThat(first.readAllBytes()).hasSize(100_000);
        assertThat(second).isNotDone();
        first.close();
        first.close();

        var next = second.get(1, TimeUnit.MINUTES);
        assertThat(CompletableFuture.supplyAsync(() -> open(LARGE), Thread::startVirtualThread))
                .as("closing twice gave one turn")
                .isNotDone();
        next.close();
    }
}
