package dev.refrain.trials.kills;

import dev.refrain.claim.ClaimResult;
import dev.refrain.outcome.Outcome;
import dev.refrain.run.OutcomeUnknownException;
import dev.refrain.run.RunResult;
import dev.refrain.run.ShuttingDownException;
import dev.refrain.store.StoreException;
import dev.refrain.trials.kills.Entry.Kind;
import java.sql.SQLException;

/** Asks, and writes into the journal what came of it before anything else is asked. */
record Counter(Shop shop, Journal journal) {

    Entry ask(Mode mode, String key) {
        return noted(answer(mode, key, Plan.request(key)));
    }

    /** Another request under a key that was answered before: it must neither run nor be answered. */
    void askForSomethingElse(Mode mode, String key) {
        var seen = answer(mode, key, "not " + Plan.request(key));
        boolean refused = seen.kind() == Kind.MISMATCH || seen.kind() == Kind.STORE_AWAY || seen.kind() == Kind.CLOSED;
        noted(refused ? seen : Entry.now(Kind.WRONG, mode, key, "another request under this key met " + seen));
    }

    private Entry noted(Entry entry) {
        journal.write(entry);
        return entry;
    }

    private Entry answer(Mode mode, String key, String request) {
        try {
            return translate(mode, key, shop.ask(mode, key, request));
        } catch (Shop.DeclinedException onPurpose) {
            return Entry.now(Kind.FAILED, mode, key, "");
        } catch (OutcomeUnknownException e) {
            return Entry.now(Kind.UNKNOWN, mode, key, e.getMessage());
        } catch (StoreException e) {
            return Entry.now(e.isTransient() ? Kind.STORE_AWAY : Kind.WRONG, mode, key, e.toString() + causes(e));
        } catch (ShuttingDownException closing) {
            return Entry.now(Kind.CLOSED, mode, key, "asked too late");
        } catch (SQLException inTheWork) {
            // The work's own statement met the database's death; nothing of it can have been committed.
            return Entry.now(Kind.STORE_AWAY, mode, key, "in the work: " + inTheWork);
        } catch (RuntimeException unexpected) {
            throw unexpected;
        } catch (Exception unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    private static String causes(Throwable e) {
        return e.getCause() == null ? "" : " because of " + e.getCause() + causes(e.getCause());
    }

    private static Entry translate(Mode mode, String key, RunResult result) {
        return switch (result) {
            case RunResult.Ran ran -> Entry.now(Kind.RAN, mode, key, Receipt.note(ran.answer()));
            case RunResult.Replayed replayed ->
                replayed.outcome() instanceof Outcome.Answer answer
                        ? Entry.now(Kind.REPLAYED, mode, key, Receipt.note(answer))
                        : Entry.now(Kind.WRONG, mode, key, "the answer was not kept");
            case RunResult.StillRunning running -> Entry.now(Kind.IN_PROGRESS, mode, key, "");
            case RunResult.Refused refused ->
                switch (refused.why()) {
                    case ClaimResult.Mismatch mismatch -> Entry.now(Kind.MISMATCH, mode, key, "");
                    case ClaimResult.Attention attention ->
                        mode == Mode.HOLD
                                ? Entry.now(
                                        Kind.ATTENTION,
                                        mode,
                                        key,
                                        "fence " + attention.claim().fence())
                                : Entry.now(Kind.WRONG, mode, key, "attention, which only HOLD may end in");
                    default -> Entry.now(Kind.WRONG, mode, key, "not a refusal: " + refused.why());
                };
        };
    }
}
