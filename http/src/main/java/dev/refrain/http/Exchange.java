package dev.refrain.http;

import dev.refrain.RefrainException;
import dev.refrain.claim.Claim;
import dev.refrain.http.policy.Policy;
import dev.refrain.outcome.Header;
import dev.refrain.outcome.Outcome;
import dev.refrain.run.OpenRun;
import dev.refrain.run.RunResult;
import dev.refrain.run.UnknowableException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request whose handler runs. The edge says how it ended, on any thread, exactly once: {@link #complete} or {@link #fail};
 * and only then sends what it is told.
 */
public final class Exchange implements Entrance {

    private final Protection protection;
    private final OpenRun run;
    private final KeyGate.Passage.Keyed keyed;

    Exchange(Protection protection, OpenRun run, KeyGate.Passage.Keyed keyed) {
        this.protection = protection;
        this.run = run;
        this.keyed = keyed;
    }

    public Claim claim() {
        return run.claim();
    }

    public Policy policy() {
        return protection.policy();
    }

    /** The key that the client sent, or that was made for it. */
    public String key() {
        return keyed.call().key();
    }

    /** What the answer says beside its own, whatever it is: set before the handler runs, which may send it at once, or throw. */
    public List<Header> extraHeaders() {
        return Protection.headersFor(keyed);
    }

    public boolean hasEnded() {
        return run.hasEnded();
    }

    /** Does a part of the handler's work on this thread; at a shutdown the thread is interrupted. */
    public <X extends Exception> void runPart(OpenRun.Part<X> part) throws X {
        run.runPart(part);
    }

    /** @param answer with all headers the handler gave; those that are not kept are left out here */
    public Ending complete(Outcome.Answer answer) {
        try {
            return told(run.complete(protection.storable(answer)));
        } catch (RefrainException notStored) {
            return protection.observes() ? own() : new Ending.Instead(protection.responseFor(notStored));
        }
    }

    /** What the handler threw. Where failures are kept it becomes an answer; otherwise it goes on. */
    public Ending fail(Throwable failure) {
        if (run.keepsFailure() && !protection.observes()) {
            var answer = protection.failureOutcome(failure);
            return complete(answer) instanceof Ending.Instead instead ? instead : new Ending.Instead(Reply.of(answer));
        }
        Optional<RunResult> stored = run.fail(failure);
        return stored.isPresent() && !protection.observes() ? told(stored.get()) : new Ending.Thrown();
    }

    /**
     * The request is over before its work is known to be: nothing is stored, and nothing given back. The claim's lease runs out,
     * and then its operation says what becomes of it.
     */
    public Ending abandon() {
        run.abandon();
        return own();
    }

    /**
     * Whether the work took effect cannot be known, and it cannot be asked or tried again: a person has to find out.
     *
     * @param why what that person reads
     */
    public Ending escalate(String why, @Nullable Throwable cause) {
        return run.fail(new UnknowableException(why, cause))
                .map(this::told)
                .orElseGet(() -> protection.observes() ? own() : new Ending.Instead(protection.unconfirmedResponse()));
    }

    private Ending told(RunResult result) {
        return result instanceof RunResult.Ran || protection.observes()
                ? own()
                : new Ending.Instead(protection.responseFor(result, keyed, false));
    }

    private Ending own() {
        return new Ending.Own();
    }
}
