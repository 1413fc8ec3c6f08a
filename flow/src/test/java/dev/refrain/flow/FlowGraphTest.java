package dev.refrain.flow;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.Downstream;
import dev.refrain.api.Retention;
import java.sql.Connection;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A flow that cannot work is refused when it is built, with the name of the point. */
class FlowGraphTest {

    private static final Flow.TransactionPhase<String, String, Connection> DONE =
            (tx, at) -> PhaseResult.finish(200, null);

    private static Flow.Builder<String, String, Connection> flow() {
        return Flow.of("orders", String.class, String.class);
    }

    @Test
    void unknownPoints() {
        assertThatThrownBy(() -> flow().phase("a", Set.of("nowhere"), DONE).build())
                .hasMessageContainingAll("nowhere", "orders", "not declared", "a leads to it");
    }

    @Test
    void unreachablePoints() {
        assertThatThrownBy(() ->
                        flow().phase("a", Set.of(), DONE).phase("island", DONE).build())
                .hasMessageContainingAll("island", "cannot be reached from a");
    }

    @Test
    void circles() {
        assertThatThrownBy(() ->
                        flow().phase("a", DONE).phase("b", Set.of("a"), DONE).build())
                .hasMessageContainingAll("Point a", "leads back to itself");
    }

    @Test
    void pointsDeclaredTwice() {
        assertThatThrownBy(() -> flow().phase("a", DONE).phase("a", DONE).build())
                .hasMessageContainingAll("Point a", "declared twice");
    }

    @Test
    void noPointAtAll() {
        assertThatThrownBy(() -> flow().build()).hasMessageContaining("no phase");
    }

    @Test
    void namesThatCannotBeStored() {
        assertThatThrownBy(() -> flow().phase("a!", DONE)).hasMessageContaining("\"a!\"");
    }

    @Test
    void downstreamThatForgetsKeysIsRefusedForAFlowKeptForEver() {
        assertThatThrownBy(() -> flow().retention(Retention.FOREVER)
                        .foreignCall(
                                "charging",
                                Downstream.honoursKeys(Duration.ofHours(1)),
                                call -> "",
                                (tx, at, answer) -> PhaseResult.finish(200, null))
                        .build())
                .hasMessageContainingAll("for ever", "charging");
    }
}
