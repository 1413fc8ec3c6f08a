package dev.refrain.flow;

import dev.refrain.outcome.Codec;
import dev.refrain.outcome.Header;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.Payload;
import dev.refrain.run.Ending;
import dev.refrain.run.PhasedClaim;
import dev.refrain.run.PutOffException;
import dev.refrain.run.UnknowableException;
import dev.refrain.store.RowRejectedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One run of a flow, from where it stands to its end. */
final class Course<R, C> {

    private static final int UNAUTHORISED = 401;
    private static final int FORBIDDEN = 403;
    private static final Duration LEFT_TO_OTHERS = Duration.ofSeconds(1);

    private final Flow<R, C> flow;
    private final FlowRequest<R> asked;
    private final Means<C> means;
    private final Codec codec;
    private final PhasedClaim<C> claim;
    private final Caller caller;

    /** Whether whoever asked for the flow is there to be answered. */
    enum Caller {
        PRESENT,
        GONE
    }

    private Course(Flow<R, C> flow, FlowRequest<R> asked, Means<C> means, PhasedClaim<C> claim, Caller caller) {
        this.flow = flow;
        this.asked = asked;
        this.means = means;
        this.codec = means.codec();
        this.claim = claim;
        this.caller = caller;
    }

    /** Of the version that began it, on the request that was stored with it. */
    static <R, C> Course<R, C> of(
            Flow<R, C> newest, FlowRequest.Stored stored, Means<C> means, PhasedClaim<C> claim, Caller caller) {
        if (!stored.flow().equals(newest.name())) {
            throw leftToOthers(newest, "the flow " + stored.flow());
        }
        if (stored.version() > newest.version()) {
            throw leftToOthers(newest, "version " + stored.version() + ", which is newer");
        }
        var flow = newest.versionOf(stored.version())
                .orElseThrow(() -> new UnknowableException(
                        newest.name() + " was begun by version " + stored.version()
                                + " of the flow, which is not here; this is version " + newest.version()
                                + ". Deploy it with finishing(version " + stored.version() + "), or decide by hand.",
                        null));
        return new Course<>(flow, stored.asked(flow.type(), means.codec()), means, claim, caller);
    }

    /** Some other instance, or a completer, may know how to finish it; if none does, that one has it wait for a decision. */
    private static PutOffException leftToOthers(Flow<?, ?> newest, String by) {
        return new PutOffException(newest.name() + " is asked for what was begun by " + by + ".", LEFT_TO_OTHERS);
    }

    Outcome.Answer run() throws Exception {
        var place = claim.recoveryPoint()
                .map(point -> Place.decode(point, claim.carriedState()))
                .orElseGet(() -> Place.initial(flow.graph().first()));
        boolean reachedHere = false;
        while (true) {
            if (!flow.graph().contains(place.point())) {
                throw new UnknowableException(
                        flow.name() + " stands at the point " + place.point() + ", which version " + flow.version()
                                + " of the flow does not have: it was changed without a new version.",
                        null);
            }
            var ending = runPhase(flow.graph().at(place.point()), place, reachedHere);
            if (ending instanceof Ending.Done done) {
                return done.answer();
            }
            var passed = (Ending.Passed) ending;
            place = Place.decode(passed.point(), passed.carried());
            reachedHere = true;
        }
    }

    /**
     * Tried again, and led elsewhere at last, if the point says so.
     *
     * @param reachedHere whether it was this run that came to the place: then nothing can have been sent from it yet
     */
    private Ending runPhase(Step<R, C> step, Place reached, boolean reachedHere) throws Exception {
        var place = reached;
        for (int made = 1; ; made++) {
            try {
                return runOnce(step, place, reachedHere && made == 1);
            } catch (Thrown thrown) {
                var rescue = step.rescue().orElseThrow(thrown::toPropagate);
                if (Rescue.endsRun(thrown.original())) {
                    throw thrown.original();
                }
                var pause = rescue.pauseBeforeNext(thrown, made);
                place = thrown.place();
                if (pause.isEmpty()) {
                    return runFailurePhase(step, rescue, rescue.failed(thrown), at(place));
                }
                means.environment().sleep(pause.get());
            }
        }
    }

    private Ending runFailurePhase(Step<R, C> step, Rescue<R, C> rescue, Failed failed, At<R> at) throws Exception {
        return claim.commit(tx -> {
            if (!failed.mayHaveTakenEffect() && step instanceof Step.Foreign<R, C, ?> foreign) {
                Booking.of(foreign, flow.name(), means).ifPresent(booking -> booking.withdraw(tx, at));
            }
            return toEnding(tx, step, rescue.otherwise().run(tx, at, failed));
        });
    }

    private Ending runOnce(Step<R, C> step, Place place, boolean reachedHere) throws Exception {
        return switch (step) {
            case Step.Local<R, C> local -> commitLocal(local, place);
            case Step.Foreign<R, C, ?> foreign -> runForeignCall(foreign, place, reachedHere);
        };
    }

    /** What it wrote may be refused only by the commit, or be impossible to store: that is its failure too. */
    private Ending commitLocal(Step.Local<R, C> local, Place place) throws Exception {
        var at = at(place);
        try {
            return claim.commit(tx -> toEnding(tx, local, run(local, tx, at, place)));
        } catch (RowRejectedException refused) {
            throw new Thrown(refused, refused, false, place);
        }
    }

    private Next run(Step.Local<R, C> local, C tx, At<R> at, Place place) throws Thrown {
        try {
            return local.phase().run(tx, at);
        } catch (Exception failed) {
            throw new Thrown(failed, failed, false, place);
        }
    }

    private <A> Ending runForeignCall(Step.Foreign<R, C, A> foreign, Place place, boolean reachedHere) throws Exception {
        var booking = Booking.of(foreign, flow.name(), means);
        var call = new Calling<>(flow.name(), foreign, booking, claim, means.environment(), this::at);
        A answer = place.withCallAnnounced() && !reachedHere ? call.resendOrResolve(place) : call.sendFirst(place);
        var at = at(place);
        return claim.commit(tx -> {
            booking.ifPresent(seen -> seen.answered(tx, at, answer));
            return toEnding(tx, foreign, foreign.take().run(tx, at, answer));
        });
    }

    private At<R> at(Place place) {
        return new At<>(place.point(), claim.recordId(), asked, codec, place.carried());
    }

    private Ending toEnding(C tx, Step<R, C> step, Next next) {
        return switch (next) {
            case Next.To to -> {
                requireDeclared(step, to.point());
                var place = Place.at(
                        to.point(),
                        Optional.ofNullable(to.carried()).map(codec::encode).map(Payload::of));
                yield flow.graph().at(to.point()) instanceof Step.Foreign<R, C, ?> foreign && foreign.announcedAhead()
                        ? announced(tx, foreign, place).encode()
                        : place.encode();
            }
            case Next.End end -> {
                requireForCaller(end);
                flow.outcomeRetention().ifPresent(claim::retainFor);
                yield new Ending.Done(answer(end));
            }
            case Next.Later later -> throw new PutOffException(later.why(), later.pause());
        };
    }

    /** That a call is about to be sent commits with the phase before it. */
    private Place announced(C tx, Step.Foreign<R, C, ?> foreign, Place place) {
        Booking.of(foreign, flow.name(), means).ifPresent(booking -> booking.announce(tx, at(place)));
        return place.withCallAnnounced(claim.maxRemainingLife());
    }

    private void requireDeclared(Step<R, C> step, String point) {
        if (!step.successors().contains(point)) {
            throw new IllegalStateException("The phase " + step.point() + " of the flow " + flow.name() + " leads to "
                    + point + ", which it does not declare; it may lead to " + step.successors() + ".");
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
