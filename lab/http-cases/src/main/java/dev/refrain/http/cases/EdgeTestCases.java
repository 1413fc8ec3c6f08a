package dev.refrain.http.cases;

import org.junit.jupiter.api.AfterAll;
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

    @AfterAll
    default void closeTheStage() throws Exception {
        harness().close();
    }
}
