package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.AbilityFlaw.instead;

import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.WriteResponse;
import java.sql.Connection;
import java.util.List;

/** Wrong about what commits together. */
final class TransactionFlaws {

    private TransactionFlaws() {}

    static final List<AbilityFlaw> ALL = List.of(
            AbilityFlaw.of(
                    "commits what its caller abandons",
                    StoreTransactionFactory.class,
                    "begin",
                    (sound, arguments) ->
                            instead(StoreTransaction.class, sound.begin(), "close", (transaction, nothing) -> {
                                transaction.commit();
                                transaction.close();
                                return null;
                            }),
                    "nothingIsLeftOfATransactionThatWasNotCommitted"),
            AbilityFlaw.of(
                    "keeps the work of a kept failure",
                    StoreTransactionFactory.class,
                    "begin",
                    (sound, arguments) -> instead(
                            StoreTransaction.class, sound.begin(), "rollbackWork", (transaction, nothing) -> null),
                    "aKeptFailureTakesTheWorkBackAndCommitsTheOutcome",
                    "settlingAndCommittingCanBeOneStep"),
            AbilityFlaw.of(
                    "commits the caller's transaction",
                    StoreTransactionFactory.class,
                    "join",
                    TransactionFlaws::committingJoin,
                    "aTransactionOfTheCallersIsNeitherCommittedNorRolledBack"),
            AbilityFlaw.of(
                    "ends a phase without its work",
                    StoreTransactionFactory.class,
                    "beginPhase",
                    TransactionFlaws::phaseWithoutWork,
                    "aPhaseCommitsTogetherWithItsRecoveryPointAndWhatItCarries"));

    @SuppressWarnings("unchecked")
    private static Object committingJoin(StoreTransactionFactory<?> sound, Object[] arguments) {
        var connection = (Connection) arguments[0];
        var joined = ((StoreTransactionFactory<Connection>) sound).join(connection);
        return instead(StoreTransaction.class, joined, "commit", (transaction, nothing) -> {
            connection.commit();
            return null;
        });
    }

    private static Object phaseWithoutWork(StoreTransactionFactory<?> sound, Object[] arguments) {
        return instead(
                PhaseTransaction.class,
                sound.beginPhase(),
                "writeAndCommit",
                (phase, write) -> new WriteResponse.Written());
    }
}
