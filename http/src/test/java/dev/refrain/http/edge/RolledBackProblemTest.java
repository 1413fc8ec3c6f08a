package dev.refrain.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.WorkRolledBackException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The problem of work that was rolled back says what happened, and speaks of a conflict only where there may have been one. */
class RolledBackProblemTest {

    private static String problem(@Nullable StoreException cause) {
        var answer = new ProblemResponses("/refrain/contract")
                .response(new WorkRolledBackException("pay", "Its commit failed: on host db7.", cause));
        assertThat(answer.status()).isEqualTo(503);
        String body = new String(answer.body().bytes(), StandardCharsets.UTF_8);
        assertThat(body).contains("rolled-back", "this is safe").doesNotContain("db7");
        return body;
    }

    @Test
    void conflictIsTold() {
        assertThat(problem(StoreException.unavailable("Settling failed.", Effect.NONE, null)))
                .contains("as after a conflict", "40001");
    }

    @Test
    void lostConnectionIsToldAlsoBehindAnotherFailure() {
        var lost = StoreException.connectionLost("Committing failed.", Effect.UNKNOWN, null);

        assertThat(problem(StoreException.unavailable("Settling failed.", Effect.UNKNOWN, lost)))
                .contains("connection to the database was lost")
                .doesNotContain("conflict", "40001");
    }

    @Test
    void refusalOfTheDatabaseIsTold() {
        assertThat(problem(StoreException.permanent("Settling failed with SQLSTATE 42501.", Effect.NONE, null)))
                .contains("The database refused", "until the operator of this API has mended it")
                .doesNotContain("conflict", "40001", "42501");
    }

    @Test
    void transactionThatAParticipantMarkedIsNoConflict() {
        assertThat(problem(null)).contains("rollback-only").doesNotContain("40001");
    }
}
