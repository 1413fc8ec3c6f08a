package dev.refrain.flow;

import dev.refrain.api.Downstream;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.NotSentException;
import dev.refrain.phase.PhasedClaim;
import dev.refrain.phase.RetryLaterException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sends a foreign call once, and again only as its {@link Downstream} allows. */
record ForeignCallExecutor<R, C, A>(
        String flow,
        PhaseDefinition.ForeignCallPhase<R, ?, C, A> foreign,
        Optional<LedgerEntryWriter<R, C, A>> booking,
        PhasedClaim<C> claim,
        ExecutionEnvironment environment,
        Function<FlowRecoveryPoint, PhaseContext<R>> at) {

    private static final String BLIND = "the other system neither honours keys nor answers lookups";

    /** Announces the call in the store, then sends it. */
    A sendFirst(FlowRecoveryPoint place) throws Exception {
        if (place.withCallAnnounced()) {
            return send(place, false);
        }
        var announced = place.withCallAnnounced(claim.maxRemainingLife());
        claim.commit(tx -> {
            booking.ifPresent(seen -> seen.announce(tx, at.apply(place)));
            return announced.encode();
        });
        return send(announced, false);
    }

    /** Sends or looks up a call that an earlier run may have sent. */
    A resendOrResolve(FlowRecoveryPoint place) throws Exception {
        switch (foreign.downstream()) {
            case Downstream.HonoursKeys<ForeignCall<R>, A> honours -> {
                if (!keyStillHonoured(honours, place)) {
                    throw unknowable(place, "the other system may have forgotten the key since then");
                }
                return send(place, true);
            }
            case Downstream.Queryable<ForeignCall<R>, A> looked -> {
                var found = lookedUp(looked, place);
                return found.isPresent() ? found.get() : send(place, true);
            }
            case Downstream.NotRetryable<ForeignCall<R>, A> blind -> throw unknowable(place, BLIND);
        }
    }

    private Optional<A> lookedUp(Downstream.Queryable<ForeignCall<R>, A> looked, FlowRecoveryPoint place)
            throws PhaseFailedException {
        try {
            return callWithTimeout(() -> looked.lookup().find(call(place, true)));
        } catch (Exception notTold) {
            throw new PhaseFailedException(notTold, notTold, true, place);
        }
    }

    /** Returns whether the other system will still remember the key when the call arrives, however long the store took to answer. */
    private boolean keyStillHonoured(Downstream.HonoursKeys<ForeignCall<R>, ?> honours, FlowRecoveryPoint place) {
        if (honours.memory().isEmpty()) {
            return true;
        }
        var then = place.lifeLeftAtSend();
        var now = claim.minRemainingLife();
        return then.isPresent()
                && now.isPresent()
                && then.get()
                                .minus(now.get())
                                .plus(foreign.timeout())
                                .compareTo(honours.memory().get())
                        < 0;
    }

    private A send(FlowRecoveryPoint place, boolean again) throws Exception {
        var call = call(place, again);
        requireTimeToSend();
        try {
            return callWithTimeout(() -> foreign.send().send(call));
        } catch (NotSentException nothing) {
            if (again) {
                throw new PhaseFailedException(nothing, nothing, true, place);
            }
            claim.commit(tx -> {
                booking.ifPresent(seen -> seen.withdraw(tx, at.apply(place)));
                return place.withCallWithdrawn().encode();
            });
            throw new PhaseFailedException(nothing, nothing, false, place.withCallWithdrawn());
        } catch (InterruptedException stopped) {
            keepLease();
            throw unknown(stopped, place);
        } catch (Exception unknown) {
            throw unknown(unknown, place);
        }
    }

    /** Keeps the lease of an interrupted call, so that nobody looks it up before it has arrived or never will. */
    private void keepLease() {
        if (foreign.downstream() instanceof Downstream.Queryable) {
            claim.holdUntilLeaseExpires();
        }
    }

    private PhaseFailedException unknown(Exception thrown, FlowRecoveryPoint place) {
        boolean blind = foreign.downstream() instanceof Downstream.NotRetryable;
        return new PhaseFailedException(thrown, blind ? unknowable(BLIND, thrown) : thrown, true, place);
    }

    /**
     * Refuses to send a call that may outlast the lease: the run that takes over would look it up while it is still on its way.
     */
    private void requireTimeToSend() {
        if (foreign.downstream() instanceof Downstream.Queryable
                && claim.remainingLease().compareTo(foreign.timeout()) <= 0) {
            throw new RetryLaterException(
                    "Flow " + flow + " did not send the call at point " + foreign.point()
                            + ": too little of its lease is left. It is retried with a new lease.",
                    Duration.ZERO);
        }
    }

    private PhaseFailedException unknowable(FlowRecoveryPoint place, String why) {
        var unknown = unknowable(why, null);
        return new PhaseFailedException(unknown, unknown, true, place);
    }

    private EffectUnknownException unknowable(String why, @Nullable Throwable cause) {
        return new EffectUnknownException(
                "Flow " + flow + " does not know whether the call at point " + foreign.point() + " took effect"
                        + (cause == null ? "" : " (it threw " + cause.getClass().getName() + ")") + ", and " + why
                        + ". Ask the other system, then resolve or release the record.",
                cause);
    }

    private ForeignCall<R> call(FlowRecoveryPoint place, boolean again) {
        return new ForeignCall<>(at.apply(place), claim.derivedKey(foreign.point()), again);
    }

    /** Runs a call on a thread of its own, so that one that hangs can be abandoned. */
    private <T> T callWithTimeout(Callable<T> call) throws Exception {
        var task = new FutureTask<>(call);
        environment.startThread("refrain-call-" + foreign.point(), task);
        var late = environment.schedule(foreign.timeout(), () -> task.cancel(true));
        try {
            return task.get();
        } catch (CancellationException left) {
            throw new CallTimedOutException(foreign.point(), foreign.timeout());
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Exception exception) {
                throw exception;
            }
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw failed;
        } finally {
            late.cancel();
            task.cancel(true);
        }
    }
}
