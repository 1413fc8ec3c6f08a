package dev.refrain.http.edge;

import dev.refrain.api.Payload;
import dev.refrain.api.RepeatableBody;
import java.io.ByteArrayInputStream;
import java.util.concurrent.Semaphore;

/**
 * Turns in which large bodies are parsed for their fingerprints, because a parsed body takes up many times its bytes. Nothing waits during a
 * turn, so every turn ends. Thread-safe.
 */
final class LargeBodyTurns {

    private static final int LARGE = 64 << 10;

    private final Semaphore turns;

    /** @param most how many may be parsed at once */
    LargeBodyTurns(int most) {
        turns = new Semaphore(most, true);
    }

    /** Returns a body whose reader, if it is large, waits for its turn and has it until it closes the stream. */
    RepeatableBody of(Payload body) {
        return body.size() <= LARGE
                ? RepeatableBody.of(body.bytes())
                : RepeatableBody.stream(
                        () -> {
                            turns.acquireUninterruptibly();
                            return new TurnStream(body.bytes());
                        },
                        body.size());
    }

    private final class TurnStream extends ByteArrayInputStream {
        private boolean closed;

        TurnStream(byte[] bytes) {
            super(bytes);
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                turns.release();
            }
        }
    }
}
