package dev.refrain.flow;

import dev.refrain.Environment;
import dev.refrain.run.PhasedClaim;
import dev.refrain.run.PutOffException;
import dev.refrain.run.UnknowableException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Calls another system as its {@link Downstream} allows. */
record Calling<R, C, A>(
        String flow,
        Step.Foreign<R, C, A> foreign,
        Optional<Booking<R, C, A>> booking,
        PhasedClaim<C> claim,
        Environment environment,
        Function<Place, At<R>> at) {

    private static final String BLIND = "it can neither be asked nor told twice";

    /** That it is about to be sent is stored before it is. */
    A sendFirst(Place place) throws Exception {
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
    A resendOrResolve(Place place) throws Exception {
        switch (foreign.downstream()) {
            case Downstream.HonoursKeys<R, A> honours -> {
                if (!keyStillHonoured(honours, place)) {
                    throw unknowable(place, "it may have forgotten the key since then");
                }
                return send(place, true);
            }
            case Downstream.LookedUp<R, A> looked -> {
                var found = lookedUp(looked, place);
                return found.isPresent() ? found.get() : send(place, true);
            }
            case Downstream.Blind<R, A> blind -> throw unknowable(place, BLIND);
        }
    }

    private Optional<A> lookedUp(Downstream.LookedUp<R, A> looked, Place place) throws Thrown {
        try {
            return callWithTimeout(() -> looked.lookup().find(call(place, true)));
        } catch (Exception notTold) {
            throw new Thrown(notTold, notTold, true, place);
        }
    }

    /** Until the call has arrived, not only until it is sent; and however long the store took to say what is left of its life. */
    private boolean keyStillHonoured(Downstream.HonoursKeys<R, ?> honours, Place place) {
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

    private A send(Place place, boolean again) throws Exception {
        var call = call(place, again);
        requireTimeToSend();
        try {
            return callWithTimeout(() -> foreign.send().send(call));
        } catch (NotSentException nothing) {
            if (again) {
                throw new Thrown(nothing, nothing, true, place);
            }
            claim.commit(tx -> {
                booking.ifPresent(seen -> seen.withdraw(tx, at.apply(place)));
                return place.withCallWithdrawn().encode();
            });
            throw new Thrown(nothing, nothing, false, place.withCallWithdrawn());
        } catch (InterruptedException stopped) {
            keepLease();
            throw unknown(stopped, place);
        } catch (Exception unknown) {
            throw unknown(unknown, place);
        }
    }

    /** Its lookup would come too early: until the lease is over, by when it has arrived or never will, nobody makes one. */
    private void keepLease() {
        if (foreign.downstream() instanceof Downstream.LookedUp) {
            claim.holdUntilLeaseExpires();
        }
    }

    private Thrown unknown(Exception thrown, Place place) {
        boolean blind = foreign.downstream() instanceof Downstream.Blind;
        return new Thrown(thrown, blind ? unknowable(BLIND, thrown) : thrown, true, place);
    }

    /**
     * Whoever takes the work over asks whether the call has arrived. It must have, or never will: so it is not sent when the lease may be
     * over before it has ended.
     */
    private void requireTimeToSend() {
        if (foreign.downstream() instanceof Downstream.LookedUp
                && claim.remainingLease().compareTo(foreign.within()) <= 0) {
            throw new PutOffException(
                    flow + ": too little is left of the lease for the call at " + foreign.point() + ".", Duration.ZERO);
        }
    }

    private Thrown unknowable(Place place, String why) {
        var unknown = unknowable(why, null);
        return new Thrown(unknown, unknown, true, place);
    }

    private UnknowableException unknowable(String why, @Nullable Throwable cause) {
        return new UnknowableException(
                flow + ": whether the call at " + foreign.point() + " took effect is not known, and " + why + ".",
                cause);
    }

    private Outgoing<R> call(Place place, boolean again) {
        return new Outgoing<>(at.apply(place), claim.derivedKey(foreign.point()), again);
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
