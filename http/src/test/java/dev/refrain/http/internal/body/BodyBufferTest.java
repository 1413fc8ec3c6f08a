package dev.refrain.http.internal.body;

import static dev.refrain.http.internal.body.BodyBuffer.BufferResult.BUFFERED;
import static dev.refrain.http.internal.body.BodyBuffer.BufferResult.NO_MEMORY;
import static dev.refrain.http.internal.body.BodyBuffer.BufferResult.TOO_LARGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.edge.BufferBudget;
import dev.refrain.http.edge.BufferReservation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodyBufferTest {

    private static final int LIMIT = 100_000;

    private final BufferBudget budget = BufferBudget.of(1 << 20);
    private final BufferReservation memory = budget.open("peer");
    private final BodyBuffer buffer = BodyBuffer.ofRequest(memory, LIMIT);

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31);
        }
        return bytes;
    }

    /** Lengths that are declared wrongly are the server's to refuse; here nothing of them is lost. */
    @ParameterizedTest
    @CsvSource({"0,0", "0,-1", "1,-1", "5000,-1", "100000,-1", "100000,100000", "5000,100", "100,5000", "4096,-1"})
    void bodyIsReadWholeAndHeldOnce(int length, int declared) throws IOException {
        assertThat(buffer.expect(declared)).isEqualTo(BUFFERED);
        assertThat(buffer.readFrom(new ByteArrayInputStream(bytes(length)))).isEqualTo(BUFFERED);

        assertThat(buffer.payload().bytes()).isEqualTo(bytes(length));
        assertThat(budget.heldBytes()).isEqualTo(length);
    }

    @Test
    void declaredBodyIsReservedBeforeItIsRead() {
        assertThat(buffer.expect(LIMIT)).isEqualTo(BUFFERED);
        assertThat(budget.heldBytes()).isEqualTo(LIMIT);
    }

    @ParameterizedTest
    @CsvSource({"100001", "250000"})
    void bodyOverTheLimitCanStillBeReadWhole(int length) throws IOException {
        var in = new ByteArrayInputStream(bytes(length));

        assertThat(buffer.expect(length)).isEqualTo(TOO_LARGE);
        assertThat(buffer.expect(-1)).isEqualTo(BUFFERED);
        assertThat(buffer.readFrom(in)).isEqualTo(TOO_LARGE);

        assertThat(buffer.followedBy(in).readAllBytes()).isEqualTo(bytes(length));
    }

    @Test
    void bodyWithoutMemoryCanStillBeReadWhole() throws IOException {
        budget.open("other").count(budget.maxBytes() - 20_000);
        var in = new ByteArrayInputStream(bytes(80_000));
        var full = BodyBuffer.ofRequest(memory, LIMIT);
        assertThat(full.expect(80_000)).isEqualTo(NO_MEMORY);
        assertThat(full.readFrom(in)).isEqualTo(NO_MEMORY);

        assertThat(full.followedBy(in).readAllBytes()).isEqualTo(bytes(80_000));
        assertThat(full.size()).isLessThan(80_000);
    }

    @Test
    void piecesAreAppended() {
        byte[] whole = bytes(70_000);
        for (int at = 0; at < whole.length; at += 700) {
            assertThat(buffer.append(whole, at, 700)).isEqualTo(BUFFERED);
        }

        assertThat(buffer.payload().bytes()).isEqualTo(Arrays.copyOf(whole, 70_000));
        memory.close();
        assertThat(budget.heldBytes()).isZero();
    }
}
