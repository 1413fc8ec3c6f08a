package dev.refrain.internal.recover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.observe.LoggedKeyFormat;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.EscalatedRecord;
import dev.refrain.testing.CapturedLog;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AttentionLogTest {

    private static final RecordId ID = new RecordId(UUID.fromString("0195f0c8-7a3e-7c11-9b2d-3f4e5a6b7c8d"));
    private static final EscalatedRecord RECORD = new EscalatedRecord(
            Optional.of("POST /payments/{id}"), new ScopedKey("acme", "http", "order-4711\nforged"), ID);

    private final CapturedLog log = new CapturedLog(AttentionLog.class);

    @AfterEach
    void stopLogging() {
        log.close();
    }

    private void log(LoggedKeyFormat keys, List<EscalatedRecord> records, int unlisted) {
        new AttentionLog(keys).onEvent(new RefrainEvent.Escalated(records, unlisted, "its lease ended"));
    }

    @Test
    void lineSaysWhichRequestItWasWhatIsKnownAndWhatToDo() {
        log(LoggedKeyFormat.SHORTENED, List.of(RECORD), 0);

        assertThat(log.lines())
                .containsExactly("Unknown outcome of POST /payments/{id}, key orde…, record " + ID
                        + ": its lease ended. Retries are refused. Find out whether it took effect, and settle the key in"
                        + " the console, or by `refrain keys resolve` or `refrain keys release`.");
    }

    @Test
    void keyIsShownAsConfiguredAndStartsNoLineOfItsOwn() {
        log(LoggedKeyFormat.FULL, List.of(RECORD), 0);
        log(LoggedKeyFormat.OFF, List.of(RECORD), 0);

        assertThat(log.lines().getFirst())
                .startsWith("Unknown outcome of POST /payments/{id}, key order-4711?forged, record");
        assertThat(log.lines().getLast()).startsWith("Unknown outcome of POST /payments/{id}, record " + ID);
    }

    @Test
    void recordsThatAreNotListedShareALine() {
        log(LoggedKeyFormat.SHORTENED, List.of(RECORD, RECORD), 7);

        assertThat(log.lines()).hasSize(3);
        assertThat(log.lines().getLast())
                .startsWith("Unknown outcome of 7 more keys:")
                .contains("`refrain attention`");
    }
}
