package dev.refrain.flow;

import dev.refrain.ValueCodec;
import dev.refrain.api.AnswerHeader;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.Outcome;
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

/** Run of a flow, from its recovery point to its end. */
final class FlowRun<R, T, C> {

    private static final int UNAUTHORISED = 401;
    private static final int FORBIDDEN = 403;
    private static final Duration LEFT_TO_OTHERS = Duration.ofSeconds(1);

    private final Flow<R, T, C> flow;
    private final FlowRequest<R> asked;
    private final FlowContext<C> context;
    private final ValueCodec codec;
    private final PhasedClaim<C> claim;
    private final CallerPresence caller;

    /** Presence of the caller: a completer runs flows whose callers are gone. */
    enum CallerPresence {
        PRESENT,
        GONE
    }

    private FlowRun(
            Flow<R, T, C> flow,
            FlowRequest<R> asked,
            FlowContext<C> context,
            PhasedClaim<C> claim,
            CallerPresence caller) {
        this.flow = flow;
        this.asked = asked;
        this.context = context;
        this.codec = context.codec();
        this.claim = claim;
        this.caller = caller;
    }

    /** Returns the run of a claimed flow, by the version that began it and with the request that was stored. */
    static <R, T, C> FlowRun<R, T, C> of(
            Flow<R, T, C> newest,
            FlowRequest.StoredRequest stored,
            FlowContext<C> context,
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
                        "Cannot finish flow " + newest.name() + ": it was begun by version " + stored.version()
                                + ", and only version " + newest.version()
                                + " is deployed. Deploy it with olderVersion(version " + stored.version()
                                + "), or resolve the record by hand.",
                        null));
        return new FlowRun<>(flow, stored.toRequest(flow.type(), context.codec()), context, claim, caller);
    }

    /** Leaves the flow to an instance or a completer that can finish it. */
    private static RetryLaterException leftToOthers(Flow<?, ?, ?> newest, String by) {
        return new RetryLaterException(
                "Flow " + newest.name() + " cannot continue what was begun by " + by + "; retry later.",
                LEFT_TO_OTHERS);
    }

    Outcome.Answer run() throws Exception {
        var place = reachedPoint();
        boolean reachedHere = false;
        while (true) {
            var ending = runPhase(phaseAt(place), place, reachedHere);
            if (ending instanceof PhaseTransition.Completion done) {
                return done.answer();
            }
            var passed = (PhaseTransition.Checkpoint) ending;
            place = FlowRecoveryPoint.decode(passed.point(), passed.carried());
            reachedHere = true;
        }
    }

    /**
     * Runs the failure phase of the point that was reached instead of its phase, and leaves the flow to its next run.
     *
     * @param committed called once the failure phase is committed
     */
    Outcome.Answer failPhase(Exception cause, Runnable committed) throws Exception {
        var place = reachedPoint();
        var step = phaseAt(place);
        var ending = runFailurePhase(
                step,
                step.failurePolicy().orElseThrow(),
                new PhaseFailure(cause, place.withCallAnnounced()),
                at(place));
        committed.run();
        if (ending instanceof PhaseTransition.Completion done) {
            return done.answer();
        }
        throw new RetryLaterException("Flow " + flow.name() + " continues in its next run.", Duration.ZERO);
    }

    private FlowRecoveryPoint reachedPoint() {
        return claim.recoveryPoint()
                .map(point -> FlowRecoveryPoint.decode(point, claim.carriedState()))
                .orElseGet(() -> FlowRecoveryPoint.initial(flow.graph().first()));
    }

    private PhaseDefinition<R, T, C> phaseAt(FlowRecoveryPoint place) {
        if (!flow.graph().contains(place.point())) {
            throw new EffectUnknownException(
                    "Flow " + flow.name() + " is at point " + place.point() + ", which its version " + flow.version()
                            + " does not have: its phases were changed without a new version. Deploy the old phases with"
                            + " olderVersion(…), or resolve the record by hand.",
                    null);
        }
        return flow.graph().at(place.point());
    }

    /**
     * Runs the phase at a point, with the retries and the failure phase that it declares.
     *
     * @param reachedHere whether this run came to the point itself, so that its call was not sent before
     */
    private PhaseTransition runPhase(PhaseDefinition<R, T, C> step, FlowRecoveryPoint reached, boolean reachedHere)
            throws Exception {
        var place = reached;
        for (int made = 1; ; made++) {
            try {
                return runOnce(step, place, reachedHere && made == 1);
            } catch (PhaseFailedException thrown) {
                var failurePolicy = step.failurePolicy().orElseThrow(thrown::toPropagate);
                if (PhaseFailurePolicy.endsRun(thrown.original())) {
                    throw thrown.original();
                }
                var pause = failurePolicy.pauseBeforeNext(thrown, made);
                place = thrown.place();
                if (pause.isEmpty()) {
                    return runFailurePhase(step, failurePolicy, failurePolicy.failed(thrown), at(place));
                }
                context.environment().sleep(pause.get());
            }
        }
    }

    private PhaseTransition runFailurePhase(
            PhaseDefinition<R, T, C> step,
            PhaseFailurePolicy<R, T, C> failurePolicy,
            PhaseFailure failed,
            PhaseContext<R> at)
            throws Exception {
        return claim.commit(tx -> {
            if (!failed.mayHaveTakenEffect() && step instanceof PhaseDefinition.ForeignCallPhase<R, T, C, ?> foreign) {
                LedgerEntryWriter.of(foreign, flow.name(), context).ifPresent(booking -> booking.withdraw(tx, at));
            }
            return toEnding(tx, step, failurePolicy.failurePhase().run(tx, at, failed));
        });
    }

    private PhaseTransition runOnce(PhaseDefinition<R, T, C> step, FlowRecoveryPoint place, boolean reachedHere)
            throws Exception {
        return switch (step) {
            case PhaseDefinition.LocalPhase<R, T, C> local -> commitLocal(local, place);
            case PhaseDefinition.ForeignCallPhase<R, T, C, ?> foreign -> runForeignCall(foreign, place, reachedHere);
        };
    }

    /** Runs a local phase in one transaction. A commit that the database rejects is a failure of the phase. */
    private PhaseTransition commitLocal(PhaseDefinition.LocalPhase<R, T, C> local, FlowRecoveryPoint place)
            throws Exception {
        var at = at(place);
        try {
            return claim.commit(tx -> toEnding(tx, local, run(local, tx, at, place)));
        } catch (RowRejectedException refused) {
            throw new PhaseFailedException(refused, refused, false, place);
        }
    }

    private PhaseResult<T> run(
            PhaseDefinition.LocalPhase<R, T, C> local, C tx, PhaseContext<R> at, FlowRecoveryPoint place)
            throws PhaseFailedException {
        try {
            return local.phase().run(tx, at);
        } catch (Exception failed) {
            throw new PhaseFailedException(failed, failed, false, place);
        }
    }

    private <A> PhaseTransition runForeignCall(
            PhaseDefinition.ForeignCallPhase<R, T, C, A> foreign, FlowRecoveryPoint place, boolean reachedHere)
            throws Exception {
        var booking = LedgerEntryWriter.of(foreign, flow.name(), context);
        var call = new ForeignCallExecutor<>(flow.name(), foreign, booking, claim, context.environment(), this::at);
        A answer = place.withCallAnnounced() && !reachedHere ? call.resendOrResolve(place) : call.sendFirst(place);
        var at = at(place);
        return claim.commit(tx -> {
            booking.ifPresent(seen -> seen.answered(tx, at, answer));
            return toEnding(tx, foreign, foreign.resultPhase().run(tx, at, answer));
        });
    }

    private PhaseContext<R> at(FlowRecoveryPoint place) {
        return new PhaseContext<>(place.point(), claim.recordId(), asked, codec, place.carried());
    }

    private PhaseTransition toEnding(C tx, PhaseDefinition<R, T, C> step, PhaseResult<T> next) {
        return switch (next) {
            case PhaseResult.NextPoint<T> to -> {
                requireDeclared(step, to.point());
                var place = FlowRecoveryPoint.at(
                        to.point(),
                        Optional.ofNullable(to.carried()).map(codec::encode).map(Payload::of));
                yield flow.graph().at(to.point()) instanceof PhaseDefinition.ForeignCallPhase<R, T, C, ?> foreign
                                && foreign.announcedAhead()
                        ? announced(tx, foreign, place).encode()
                        : place.encode();
            }
            case PhaseResult.Finish<T> end -> {
                requireForCaller(end);
                flow.outcomeRetention().ifPresent(claim::retainFor);
                yield new PhaseTransition.Completion(answer(end));
            }
            case PhaseResult.RetryLater<T> later -> throw new RetryLaterException(later.why(), later.pause());
        };
    }

    /** Announces a foreign call in the transaction of the phase before it. */
    private FlowRecoveryPoint announced(
            C tx, PhaseDefinition.ForeignCallPhase<R, T, C, ?> foreign, FlowRecoveryPoint place) {
        LedgerEntryWriter.of(foreign, flow.name(), context).ifPresent(booking -> booking.announce(tx, at(place)));
        return place.withCallAnnounced(claim.maxRemainingLife());
    }

    private void requireDeclared(PhaseDefinition<R, T, C> step, String point) {
        if (!step.successors().contains(point)) {
            throw new IllegalStateException("Phase " + step.point() + " of flow " + flow.name() + " cannot go to "
                    + point + ": it declares only " + step.successors()
                    + ". Pass the points that it leads to when it is declared.");
        }
    }

    /** Asks for attention if a flow without caller ends with 401 or 403: a person judges whether the caller may still do it. */
    private void requireForCaller(PhaseResult.Finish<T> end) {
        if (caller == CallerPresence.GONE && (end.status() == UNAUTHORISED || end.status() == FORBIDDEN)) {
            throw new EffectUnknownException(
                    "Flow " + flow.name() + " ended with status " + end.status()
                            + " while a completer finished it: the caller may have lost its rights. Resolve it by hand.",
                    null);
        }
    }

    private Outcome.Answer answer(PhaseResult.Finish<T> end) {
        var headers = new ArrayList<>(end.headers());
        boolean typed = headers.stream().anyMatch(h -> h.name().equalsIgnoreCase("Content-Type"));
        if (!typed && end.body() != null && !(end.body() instanceof byte[])) {
            headers.add(new AnswerHeader(
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
