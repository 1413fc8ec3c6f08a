package dev.refrain.http.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** Base of every group of cases. One edge serves all cases of a test class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
interface EdgeTestCases {

    EdgeTestHarness harness();

    @BeforeEach
    default void clearTheStage() {
        harness().reset();
    }

    /** However a case ended: by an answer, a refusal, an exception, a time-out or a client that disconnected. */
    @AfterEach
    default void nothingStaysBuffered() {
        var budget = harness().edge().budget();
        await().untilAsserted(() -> assertThat(budget.heldBytes()).isZero());
    }

    @AfterAll
    default void closeTheStage() throws Exception {
        harness().close();
    }
}
