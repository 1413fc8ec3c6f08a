package dev.refrain.http;

import dev.refrain.RefrainException;
import dev.refrain.claim.Claim;
import dev.refrain.http.policy.Policy;
import dev.refrain.outcome.Header;
import dev.refrain.outcome.Outcome;
import dev.refrain.run.RunResult;
import java.util.List;

/** A request whose handler runs inside a transaction with its claim and its outcome: nothing is told before the commit. */
public final class Transacted implements Entrance {

    private final Protection protection;
    private final Transactor transactor;
    private final KeyGate.Passage.Keyed keyed;
    private final boolean prefersAsync;

    Transacted(Protection protection, Transactor transactor, KeyGate.Passage.Keyed keyed, boolean prefersAsync) {
        this.protection = protection;
        this.transactor = transactor;
        this.keyed = keyed;
        this.prefersAsync = prefersAsync;
    }

    public Policy policy() {
        return protection.policy();
    }

    /** What the answer says beside its own, whatever it is: set before the handler runs, which may throw. */
    public List<Header> headers() {
        return Protection.headersFor(keyed);
    }

    /**
     * Runs the handler, if this key is new.
     *
     * @throws X what the handler threw, if that is not kept; everything is taken back
     */
    public <X extends Exception> Ending run(Transactor.Handler<X> handler) throws X {
        RunResult result;
        try {
            result = transactor.attempt(keyed.call(), claim -> answer(handler, claim));
        } catch (RefrainException failure) {
            return new Ending.Instead(protection.responseFor(failure));
        }
        return result instanceof RunResult.Ran
                ? new Ending.Own()
                : new Ending.Instead(protection.responseFor(result, keyed, prefersAsync));
    }

    private <X extends Exception> Outcome.Answer answer(Transactor.Handler<X> handler, Claim claim) throws X {
        return protection.storable(handler.run(claim));
    }
}
