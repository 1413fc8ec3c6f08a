package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.AbilityFlaw.instead;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.TransactionLimits;
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
                    "keptFailureRollsBackTheWorkAndCommitsTheOutcome",
                    "settlingAndCommittingCanBeOneStep"),
            AbilityFlaw.of(
                    "commits what it aborts",
                    StoreTransactionFactory.class,
                    "begin",
                    (sound, arguments) -> instead(
                            StoreTransaction.class, begin(sound, arguments), "abort", (transaction, nothing) -> {
                                transaction.commit();
                                return null;
                            }),
                    "nothingIsLeftOfATransactionThatWasAbortedWhileItsWorkRan"),
            AbilityFlaw.of(
                    "lets work go on that it aborts",
                    StoreTransactionFactory.class,
                    "begin",
                    (sound, arguments) -> instead(
                            StoreTransaction.class, begin(sound, arguments), "abort", (transaction, nothing) -> null),
                    "nothingIsLeftOfATransactionThatWasAbortedWhileItsWorkRan"),
            AbilityFlaw.of(
                    "does not know whether a claim that timed out took effect",
                    StoreTransactionFactory.class,
                    "begin",
                    (sound, arguments) -> instead(
                            StoreTransaction.class,
                            begin(sound, arguments),
                            "tryClaim",
                            TransactionFlaws::claimOfUnknownEffect),
                    "claimThatCannotBeHadWithinItsPatienceFailsWithoutEffect"),
            AbilityFlaw.of(
                    "commits the caller's transaction",
                    StoreTransactionFactory.class,
                    "join",
                    TransactionFlaws::committingJoin,
                    "transactionOfTheCallersIsNeitherCommittedNorRolledBack"),
            AbilityFlaw.of(
                    "ends a phase without its work",
                    StoreTransactionFactory.class,
                    "beginPhase",
                    TransactionFlaws::phaseWithoutWork,
                    "phaseCommitsTogetherWithItsRecoveryPointAndWhatItCarries"));

    private static StoreTransaction<?> begin(StoreTransactionFactory<?> sound, Object[] arguments) {
        return arguments == null ? sound.begin() : sound.begin((TransactionLimits) arguments[0]);
    }

    private static Object claimOfUnknownEffect(StoreTransaction<?> transaction, Object[] arguments) {
        try {
            return transaction.tryClaim((ClaimRequest) arguments[0]);
        } catch (StoreException e) {
            throw StoreException.unavailable("Timed out.", Effect.UNKNOWN, e);
        }
    }

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
                (phase, write) -> new RecordWriteResponse.Written());
    }
}
