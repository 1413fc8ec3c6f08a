package dev.refrain.flow;

import dev.refrain.outcome.Codec;
import dev.refrain.outcome.Header;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.Payload;
import dev.refrain.run.Ending;
import dev.refrain.run.PhasedClaim;
import dev.refrain.run.PutOffException;
import dev.refrain.run.UnknowableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One run of a flow, from where it stands to its end. */
final class Course<R, C> {

    private static final int UNAUTHORISED = 401;
    private static final int FORBIDDEN = 403;

    private final Flow<R, C> flow;
    private final FlowRequest<R> asked;
    private final Codec codec;
    private final PhasedClaim<C> claim;
    private final Caller caller;

    /** Whether whoever asked for the flow is there to be answered. */
    enum Caller {
        PRESENT,
        GONE
    }

    private Course(Flow<R, C> flow, FlowRequest<R> asked, Codec codec, PhasedClaim<C> claim, Caller caller) {
        this.flow = flow;
        this.asked = asked;
        this.codec = codec;
        this.claim = claim;
        this.caller = caller;
    }

    /** Of the version that began it, on the request that was stored with it. */
    static <R, C> Course<R, C> of(
            Flow<R, C> newest, FlowRequest.Stored stored, Codec codec, PhasedClaim<C> claim, Caller caller) {
        var flow = newest.at(stored.version())
                .orElseThrow(() -> new UnknowableException(
                        newest.name() + " was begun by version " + stored.version()
                                + " of the flow, which is not here; this is version " + newest.version()
                                + ". Deploy it with finishing(version " + stored.version() + "), or decide by hand.",
                        null));
        return new Course<>(flow, stored.asked(flow.type(), codec), codec, claim, caller);
    }

    Outcome.Answer run() throws Exception {
        var place = claim.recoveryPoint()
                .map(point -> Place.stored(point, claim.carried()))
                .orElseGet(() -> Place.start(flow.graph().first()));
        boolean reachedHere = false;
        while (true) {
            if (!flow.graph().knows(place.point())) {
                throw new UnknowableException(
                        flow.name() + " stands at the point " + place.point() + ", which version " + flow.version()
                                + " of the flow does not have: it was changed without a new version.",
                        null);
            }
            var ending = passed(flow.graph().at(place.point()), place, reachedHere);
            if (ending instanceof Ending.Done done) {
                return done.answer();
            }
            var passed = (Ending.Passed) ending;
            place = Place.stored(passed.point(), passed.carried());
            reachedHere = true;
        }
    }

    /** @param reachedHere whether it was this run that came to the place: then nothing can have been sent from it yet */
    private Ending passed(Step<R, C> step, Place place, boolean reachedHere) throws Exception {
        return switch (step) {
            case Step.Local<R, C> local -> {
                var at = at(place);
                yield claim.commit(tx -> ending(local, local.phase().run(tx, at)));
            }
            case Step.Foreign<R, C, ?> foreign -> called(foreign, place, reachedHere);
        };
    }

    private <A> Ending called(Step.Foreign<R, C, A> foreign, Place place, boolean reachedHere) throws Exception {
        A answer = place.announced() && !reachedHere ? again(foreign, place) : first(foreign, place);
        var at = at(place);
        return claim.commit(tx -> ending(foreign, foreign.take().run(tx, at, answer)));
    }

    /** That it is about to be sent is stored before it is. */
    private <A> A first(Step.Foreign<R, C, A> foreign, Place place) throws Exception {
        if (place.announced()) {
            return sent(foreign, place, false);
        }
        var announced = place.announced(claim.lifeLeft());
        claim.commit(tx -> announced.ending());
        return sent(foreign, announced, false);
    }

    /** It may have been sent by whoever came to this point before. */
    private <A> A again(Step.Foreign<R, C, A> foreign, Place place) throws Exception {
        switch (foreign.downstream()) {
            case Downstream.HonoursKeys<R, A> honours -> {
                if (!remembered(honours, foreign.within(), place)) {
                    throw unknowable(foreign, "it may have forgotten the key since then", null);
                }
                return sent(foreign, place, true);
            }
            case Downstream.LookedUp<R, A> looked -> {
                var found = within(foreign, () -> looked.lookup().find(call(foreign, place, true)));
                return found.isPresent() ? found.get() : sent(foreign, place, true);
            }
            case Downstream.Blind<R, A> blind ->
                throw unknowable(foreign, "it can neither be asked nor told twice", null);
        }
    }

    /** Until the call has arrived, not only until it is sent. */
    private boolean remembered(Downstream.HonoursKeys<R, ?> honours, Duration within, Place place) {
        if (honours.memory().isEmpty()) {
            return true;
        }
        var then = place.lifeThen();
        var now = claim.lifeLeft();
        return then.isPresent()
                && now.isPresent()
                && then.get()
                                .minus(now.get())
                                .plus(within)
                                .compareTo(honours.memory().get())
                        < 0;
    }

    private <A> A sent(Step.Foreign<R, C, A> foreign, Place place, boolean again) throws Exception {
        var call = call(foreign, place, again);
        requireTimeToSend(foreign);
        try {
            return within(foreign, () -> foreign.send().send(call));
        } catch (NotSentException nothing) {
            if (!again) {
                claim.commit(tx -> place.withdrawn().ending());
            }
            throw nothing;
        } catch (Exception unknown) {
            if (foreign.downstream() instanceof Downstream.Blind) {
                throw unknowable(foreign, "it can neither be asked nor told twice", unknown);
            }
            throw unknown;
        }
    }

    /**
     * Whoever takes the work over asks whether the call has arrived. It must have, or never will: so it is not sent when the lease may be
     * over before it has ended.
     */
    private void requireTimeToSend(Step.Foreign<R, C, ?> foreign) {
        if (foreign.downstream() instanceof Downstream.LookedUp
                && claim.leaseLeft().compareTo(foreign.within()) <= 0) {
            throw new PutOffException(
                    flow.name() + ": too little is left of the lease for the call at " + foreign.point() + ".",
                    Duration.ZERO);
        }
    }

    private UnknowableException unknowable(Step.Foreign<R, C, ?> foreign, String why, @Nullable Throwable cause) {
        return new UnknowableException(
                flow.name() + ": whether the call at " + foreign.point() + " took effect is not known, and " + why
                        + ".",
                cause);
    }

    private Outgoing<R> call(Step.Foreign<R, C, ?> foreign, Place place, boolean again) {
        return new Outgoing<>(at(place), claim.keyFor(foreign.point()), again);
    }

    private At<R> at(Place place) {
        return new At<>(place.point(), claim.recordId(), asked, codec, place.carried());
    }

    /** On a thread of its own, so that one that does not come back can be left. */
    private static <T> T within(Step.Foreign<?, ?, ?> foreign, Callable<T> call) throws Exception {
        var task = new FutureTask<>(call);
        var thread = Thread.ofVirtual().name("refrain-call-" + foreign.point()).start(task);
        try {
            return task.get(foreign.within().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
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
            thread.interrupt();
        }
    }

    private Ending ending(Step<R, C> step, Next next) {
        return switch (next) {
            case Next.To to -> {
                requireDeclared(step, to.point());
                var place = Place.reached(
                        to.point(),
                        Optional.ofNullable(to.carried()).map(codec::encode).map(Payload::of));
                boolean ahead = flow.graph().at(to.point()) instanceof Step.Foreign<R, C, ?> foreign
                        && foreign.announcedAhead();
                yield (ahead ? place.announced(claim.lifeLeft()) : place).ending();
            }
            case Next.End end -> {
                requireForCaller(end);
                yield new Ending.Done(answer(end));
            }
            case Next.Later later -> throw new PutOffException(later.why(), later.pause());
        };
    }

    private void requireDeclared(Step<R, C> step, String point) {
        if (!step.leadsTo().contains(point)) {
            throw new IllegalStateException("The phase " + step.point() + " of the flow " + flow.name() + " leads to "
                    + point + ", which it does not declare; it may lead to " + step.leadsTo() + ".");
        }
    }

    /** That the captured principal may not do it any more is for a person to judge, not for a caller who is gone. */
    private void requireForCaller(Next.End end) {
        if (caller == Caller.GONE && (end.status() == UNAUTHORISED || end.status() == FORBIDDEN)) {
            throw new UnknowableException(
                    flow.name() + " was begun by its caller and then refused with " + end.status()
                            + " while it was finished without it.",
                    null);
        }
    }

    private Outcome.Answer answer(Next.End end) {
        var headers = new ArrayList<>(end.headers());
        boolean typed = headers.stream().anyMatch(h -> h.name().equalsIgnoreCase("Content-Type"));
        if (!typed && end.body() != null && !(end.body() instanceof byte[])) {
            headers.add(new Header(
                    "Content-Type",
                    end.body() instanceof CharSequence ? "text/plain;charset=UTF-8" : "application/json"));
        }
        return new Outcome.Answer(end.status(), List.copyOf(headers), Payload.of(body(end.body())));
    }

    private byte[] body(@Nullable Object value) {
        return switch (value) {
            case null -> new byte[0];
            case byte[] bytes -> bytes;
            case CharSequence text -> text.toString().getBytes(StandardCharsets.UTF_8);
            default -> codec.encode(value);
        };
    }
}
