package dev.refrain.trials.kills;

import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeUnknownException;
import dev.refrain.api.ShuttingDownException;
import dev.refrain.store.StoreException;
import dev.refrain.trials.kills.JournalEntry.Kind;
import java.sql.SQLException;

/** Caller that writes each answer into the journal before its next call. */
record JournaledCaller(TrialShop shop, AnswerJournal journal) {

    JournalEntry ask(TrialMode mode, String key) {
        return noted(answer(mode, key, KeySchedule.request(key)));
    }

    /** Sends another request under an answered key, which must neither run nor be replayed. */
    void askForSomethingElse(TrialMode mode, String key) {
        var seen = answer(mode, key, "not " + KeySchedule.request(key));
        boolean refused = seen.kind() == Kind.MISMATCH || seen.kind() == Kind.STORE_AWAY || seen.kind() == Kind.CLOSED;
        noted(refused ? seen : JournalEntry.now(Kind.WRONG, mode, key, "another request under this key met " + seen));
    }

    private JournalEntry noted(JournalEntry entry) {
        journal.write(entry);
        return entry;
    }

    private JournalEntry answer(TrialMode mode, String key, String request) {
        try {
            return translate(mode, key, shop.ask(mode, key, request));
        } catch (TrialShop.DeclinedException onPurpose) {
            return JournalEntry.now(Kind.FAILED, mode, key, "");
        } catch (OutcomeUnknownException e) {
            return JournalEntry.now(Kind.UNKNOWN, mode, key, e.getMessage());
        } catch (StoreException e) {
            return JournalEntry.now(
                    e.isTransient() ? Kind.STORE_AWAY : Kind.WRONG, mode, key, e.toString() + causes(e));
        } catch (ShuttingDownException closing) {
            return JournalEntry.now(Kind.CLOSED, mode, key, "asked too late");
        } catch (SQLException inTheWork) {
            // The work's own statement met the database's death; nothing of it can have been committed.
            return JournalEntry.now(Kind.STORE_AWAY, mode, key, "in the work: " + inTheWork);
        } catch (RuntimeException unexpected) {
            throw unexpected;
        } catch (Exception unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    private static String causes(Throwable e) {
        return e.getCause() == null ? "" : " because of " + e.getCause() + causes(e.getCause());
    }

    private static JournalEntry translate(TrialMode mode, String key, OperationResult result) {
        return switch (result) {
            case OperationResult.Ran ran -> JournalEntry.now(Kind.RAN, mode, key, UniqueAnswers.note(ran.answer()));
            case OperationResult.Replayed replayed ->
                replayed.outcome() instanceof Outcome.Answer answer
                        ? JournalEntry.now(Kind.REPLAYED, mode, key, UniqueAnswers.note(answer))
                        : JournalEntry.now(Kind.WRONG, mode, key, "the answer was not kept");
            case OperationResult.InProgress running -> JournalEntry.now(Kind.IN_PROGRESS, mode, key, "");
            case OperationResult.Mismatch mismatch -> JournalEntry.now(Kind.MISMATCH, mode, key, "");
            case OperationResult.Attention attention ->
                mode == TrialMode.HOLD
                        ? JournalEntry.now(
                                Kind.ATTENTION,
                                mode,
                                key,
                                "fence " + attention.claim().fence())
                        : JournalEntry.now(Kind.WRONG, mode, key, "attention, which only HOLD may end in");
        };
    }
}
