package dev.refrain.flow;

import dev.refrain.api.Downstream;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.NotSentException;
import dev.refrain.api.PhasedClaim;
import dev.refrain.api.RetryLaterException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Calls another system as its {@link Downstream} allows. */
record ForeignCallExecutor<R, C, A>(
        String flow,
        PhaseDefinition.ForeignCallPhase<R, C, A> foreign,
        Optional<LedgerEntryWriter<R, C, A>> booking,
        PhasedClaim<C> claim,
        ExecutionEnvironment environment,
        Function<RecoveryPoint, PhaseContext<R>> at) {

    private static final String BLIND = "it can neither be asked nor told twice";

    /** That it is about to be sent is stored before it is. */
    A sendFirst(RecoveryPoint place) throws Exception {
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

    /** It may have been sent by whoever came to this point before. */
    A resendOrResolve(RecoveryPoint place) throws Exception {
        switch (foreign.downstream()) {
            case Downstream.HonoursKeys<ForeignCall<R>, A> honours -> {
                if (!keyStillHonoured(honours, place)) {
                    throw unknowable(place, "it may have forgotten the key since then");
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

    private Optional<A> lookedUp(Downstream.Queryable<ForeignCall<R>, A> looked, RecoveryPoint place)
            throws PhaseFailedException {
        try {
            return callWithTimeout(() -> looked.lookup().find(call(place, true)));
        } catch (Exception notTold) {
            throw new PhaseFailedException(notTold, notTold, true, place);
        }
    }

    /** Until the call has arrived, not only until it is sent; and however long the store took to say what is left of its life. */
    private boolean keyStillHonoured(Downstream.HonoursKeys<ForeignCall<R>, ?> honours, RecoveryPoint place) {
        if (honours.memory().isEmpty()) {
            return true;
        }
        var then = place.lifeLeftAtSend();
        var now = claim.minRemainingLife();
        return then.isPresent()
                && now.isPresent()
                && then.get()
                                .minus(now.get())
                                .plus(foreign.within())
                                .compareTo(honours.memory().get())
                        < 0;
    }

    private A send(RecoveryPoint place, boolean again) throws Exception {
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

    /** Its lookup would come too early: until the lease is over, by when it has arrived or never will, nobody makes one. */
    private void keepLease() {
        if (foreign.downstream() instanceof Downstream.Queryable) {
            claim.holdUntilLeaseExpires();
        }
    }

    private PhaseFailedException unknown(Exception thrown, RecoveryPoint place) {
        boolean blind = foreign.downstream() instanceof Downstream.NotRetryable;
        return new PhaseFailedException(thrown, blind ? unknowable(BLIND, thrown) : thrown, true, place);
    }

    /**
     * Whoever takes the work over asks whether the call has arrived. It must have, or never will: so it is not sent when the lease may be
     * over before it has ended.
     */
    private void requireTimeToSend() {
        if (foreign.downstream() instanceof Downstream.Queryable
                && claim.remainingLease().compareTo(foreign.within()) <= 0) {
            throw new RetryLaterException(
                    flow + ": too little is left of the lease for the call at " + foreign.point() + ".", Duration.ZERO);
        }
    }

    private PhaseFailedException unknowable(RecoveryPoint place, String why) {
        var unknown = unknowable(why, null);
        return new PhaseFailedException(unknown, unknown, true, place);
    }

    private EffectUnknownException unknowable(String why, @Nullable Throwable cause) {
        return new EffectUnknownException(
                flow + ": whether the call at " + foreign.point() + " took effect is not known, and " + why + ".",
                cause);
    }

    private ForeignCall<R> call(RecoveryPoint place, boolean again) {
        return new ForeignCall<>(at.apply(place), claim.derivedKey(foreign.point()), again);
    }

    /** On a thread of its own, so that one that does not come back can be left. */
    private <T> T callWithTimeout(Callable<T> call) throws Exception {
        var task = new FutureTask<>(call);
        environment.startThread("refrain-call-" + foreign.point(), task);
        var late = environment.schedule(foreign.within(), () -> task.cancel(true));
        try {
            return task.get();
        } catch (CancellationException left) {
            throw new CallTimedOutException(foreign.point(), foreign.within());
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
