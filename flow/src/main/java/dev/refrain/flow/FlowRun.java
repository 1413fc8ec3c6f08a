package dev.refrain.flow;

import dev.refrain.ValueCodec;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeHeader;
import dev.refrain.api.Payload;
import dev.refrain.phase.PhaseTransition;
import dev.refrain.phase.PhasedClaim;
import dev.refrain.phase.RetryLaterException;
import dev.refrain.store.RowRejectedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One run of a flow, from where it stands to its end. */
final class FlowRun<R, C> {

    private static final int UNAUTHORISED = 401;
    private static final int FORBIDDEN = 403;
    private static final Duration LEFT_TO_OTHERS = Duration.ofSeconds(1);

    private final Flow<R, C> flow;
    private final FlowRequest<R> asked;
    private final FlowContext<C> means;
    private final ValueCodec codec;
    private final PhasedClaim<C> claim;
    private final CallerPresence caller;

    /** Whether whoever asked for the flow is there to be answered. */
    enum CallerPresence {
        PRESENT,
        GONE
    }

    private FlowRun(
            Flow<R, C> flow, FlowRequest<R> asked, FlowContext<C> means, PhasedClaim<C> claim, CallerPresence caller) {
        this.flow = flow;
        this.asked = asked;
        this.means = means;
        this.codec = means.codec();
        this.claim = claim;
        this.caller = caller;
    }

    /** Of the version that began it, on the request that was stored with it. */
    static <R, C> FlowRun<R, C> of(
            Flow<R, C> newest,
            FlowRequest.StoredRequest stored,
            FlowContext<C> means,
            PhasedClaim<C> claim,
            CallerPresence caller) {
        if (!stored.flow().equals(newest.name())) {
            throw leftToOthers(newest, "the flow " + stored.flow());
        }
        if (stored.version() > newest.version()) {
            throw leftToOthers(newest, "version " + stored.version() + ", which is newer");
        }
        var flow = newest.versionOf(stored.version())
                .orElseThrow(() -> new EffectUnknownException(
                        newest.name() + " was begun by version " + stored.version()
                                + " of the flow, which is not here; this is version " + newest.version()
                                + ". Deploy it with finishing(version " + stored.version() + "), or decide by hand.",
                        null));
        return new FlowRun<>(flow, stored.asked(flow.type(), means.codec()), means, claim, caller);
    }

    /** Some other instance, or a completer, may know how to finish it; if none does, that one has it wait for a decision. */
    private static RetryLaterException leftToOthers(Flow<?, ?> newest, String by) {
        return new RetryLaterException(newest.name() + " is asked for what was begun by " + by + ".", LEFT_TO_OTHERS);
    }

    Outcome.Answer run() throws Exception {
        var place = claim.recoveryPoint()
                .map(point -> RecoveryPoint.decode(point, claim.carriedState()))
                .orElseGet(() -> RecoveryPoint.initial(flow.graph().first()));
        boolean reachedHere = false;
        while (true) {
            if (!flow.graph().contains(place.point())) {
                throw new EffectUnknownException(
                        flow.name() + " stands at the point " + place.point() + ", which version " + flow.version()
                                + " of the flow does not have: it was changed without a new version.",
                        null);
            }
            var ending = runPhase(flow.graph().at(place.point()), place, reachedHere);
            if (ending instanceof PhaseTransition.Completion done) {
                return done.answer();
            }
            var passed = (PhaseTransition.Checkpoint) ending;
            place = RecoveryPoint.decode(passed.point(), passed.carried());
            reachedHere = true;
        }
    }

    /**
     * Tried again, and led elsewhere at last, if the point says so.
     *
     * @param reachedHere whether it was this run that came to the place: then nothing can have been sent from it yet
     */
    private PhaseTransition runPhase(PhaseDefinition<R, C> step, RecoveryPoint reached, boolean reachedHere)
            throws Exception {
        var place = reached;
        for (int made = 1; ; made++) {
            try {
                return runOnce(step, place, reachedHere && made == 1);
            } catch (PhaseFailedException thrown) {
                var rescue = step.rescue().orElseThrow(thrown::toPropagate);
                if (PhaseFailurePolicy.endsRun(thrown.original())) {
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

    private PhaseTransition runFailurePhase(
            PhaseDefinition<R, C> step, PhaseFailurePolicy<R, C> rescue, PhaseFailure failed, PhaseContext<R> at)
            throws Exception {
        return claim.commit(tx -> {
            if (!failed.mayHaveTakenEffect() && step instanceof PhaseDefinition.ForeignCallPhase<R, C, ?> foreign) {
                LedgerEntryWriter.of(foreign, flow.name(), means).ifPresent(booking -> booking.withdraw(tx, at));
            }
            return toEnding(tx, step, rescue.otherwise().run(tx, at, failed));
        });
    }

    private PhaseTransition runOnce(PhaseDefinition<R, C> step, RecoveryPoint place, boolean reachedHere)
            throws Exception {
        return switch (step) {
            case PhaseDefinition.LocalPhase<R, C> local -> commitLocal(local, place);
            case PhaseDefinition.ForeignCallPhase<R, C, ?> foreign -> runForeignCall(foreign, place, reachedHere);
        };
    }

    /** What it wrote may be refused only by the commit, or be impossible to store: that is its failure too. */
    private PhaseTransition commitLocal(PhaseDefinition.LocalPhase<R, C> local, RecoveryPoint place) throws Exception {
        var at = at(place);
        try {
            return claim.commit(tx -> toEnding(tx, local, run(local, tx, at, place)));
        } catch (RowRejectedException refused) {
            throw new PhaseFailedException(refused, refused, false, place);
        }
    }

    private PhaseResult run(PhaseDefinition.LocalPhase<R, C> local, C tx, PhaseContext<R> at, RecoveryPoint place)
            throws PhaseFailedException {
        try {
            return local.phase().run(tx, at);
        } catch (Exception failed) {
            throw new PhaseFailedException(failed, failed, false, place);
        }
    }

    private <A> PhaseTransition runForeignCall(
            PhaseDefinition.ForeignCallPhase<R, C, A> foreign, RecoveryPoint place, boolean reachedHere)
            throws Exception {
        var booking = LedgerEntryWriter.of(foreign, flow.name(), means);
        var call = new ForeignCallExecutor<>(flow.name(), foreign, booking, claim, means.environment(), this::at);
        A answer = place.withCallAnnounced() && !reachedHere ? call.resendOrResolve(place) : call.sendFirst(place);
        var at = at(place);
        return claim.commit(tx -> {
            booking.ifPresent(seen -> seen.answered(tx, at, answer));
            return toEnding(tx, foreign, foreign.take().run(tx, at, answer));
        });
    }

    private PhaseContext<R> at(RecoveryPoint place) {
        return new PhaseContext<>(place.point(), claim.recordId(), asked, codec, place.carried());
    }

    private PhaseTransition toEnding(C tx, PhaseDefinition<R, C> step, PhaseResult next) {
        return switch (next) {
            case PhaseResult.NextPoint to -> {
                requireDeclared(step, to.point());
                var place = RecoveryPoint.at(
                        to.point(),
                        Optional.ofNullable(to.carried()).map(codec::encode).map(Payload::of));
                yield flow.graph().at(to.point()) instanceof PhaseDefinition.ForeignCallPhase<R, C, ?> foreign
                                && foreign.announcedAhead()
                        ? announced(tx, foreign, place).encode()
                        : place.encode();
            }
            case PhaseResult.Finish end -> {
                requireForCaller(end);
                flow.outcomeRetention().ifPresent(claim::retainFor);
                yield new PhaseTransition.Completion(answer(end));
            }
            case PhaseResult.RetryLater later -> throw new RetryLaterException(later.why(), later.pause());
        };
    }

    /** That a call is about to be sent commits with the phase before it. */
    private RecoveryPoint announced(C tx, PhaseDefinition.ForeignCallPhase<R, C, ?> foreign, RecoveryPoint place) {
        LedgerEntryWriter.of(foreign, flow.name(), means).ifPresent(booking -> booking.announce(tx, at(place)));
        return place.withCallAnnounced(claim.maxRemainingLife());
    }

    private void requireDeclared(PhaseDefinition<R, C> step, String point) {
        if (!step.successors().contains(point)) {
            throw new IllegalStateException("The phase " + step.point() + " of the flow " + flow.name() + " leads to "
                    + point + ", which it does not declare; it may lead to " + step.successors() + ".");
        }
    }

    /** That the captured principal may not do it any more is for a person to judge, not for a caller who is gone. */
    private void requireForCaller(PhaseResult.Finish end) {
        if (caller == CallerPresence.GONE && (end.status() == UNAUTHORISED || end.status() == FORBIDDEN)) {
            throw new EffectUnknownException(
                    flow.name() + " was begun by its caller and then refused with " + end.status()
                            + " while it was finished without it.",
                    null);
        }
    }

    private Outcome.Answer answer(PhaseResult.Finish end) {
        var headers = new ArrayList<>(end.headers());
        boolean typed = headers.stream().anyMatch(h -> h.name().equalsIgnoreCase("Content-Type"));
        if (!typed && end.body() != null && !(end.body() instanceof byte[])) {
            headers.add(new OutcomeHeader(
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
