package dev.refrain.trials.simulation.world;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.trials.simulation.law.TraceText;
import dev.refrain.trials.simulation.machine.SeededRandom;
import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Link of one process to the store, with its faults. */
final class FaultyStoreLink extends FaultyLink {

    private static final Duration MUCH_LATER = Duration.ofSeconds(20);

    private static final Duration A_LIFETIME = Duration.ofDays(1);

    private boolean cut;

    /** @param store where what the store does by itself goes on when the process is gone */
    FaultyStoreLink(
            SimulatedThreadGroup process, SimulatedThreadGroup store, SeededRandom chance, CurrentFaultRates weather) {
        super(process, store, chance, weather);
    }

    <Q, A> List<A> batch(String what, List<Q> questions, Function<List<Q>, List<A>> call) {
        var faults = weather.faults();
        mayCrash(faults, what, "before");
        travel(faults);
        failIfCut(what);
        if (chance.perMille(faults.refused())) {
            throw trouble(what, "refused", StoreException.unavailable("The store is not there.", Effect.NONE, null));
        }
        if (chance.perMille(rejections(faults, questions))) {
            throw trouble(what, "row rejected", RowRejectedException.locked("Someone has a lock.", new LockedRow()));
        }
        return carryOut(faults, what, questions, call);
    }

    /** The same for a store that answers each element by itself: a row that somebody has locked fails alone. */
    <Q, A> List<A> batch(
            String what, List<Q> questions, Function<List<Q>, List<A>> call, Function<StoreException, A> failed) {
        var faults = weather.faults();
        mayCrash(faults, what, "before");
        travel(faults);
        failIfCut(what);
        if (chance.perMille(faults.refused())) {
            throw trouble(what, "refused", StoreException.unavailable("The store is not there.", Effect.NONE, null));
        }
        if (!chance.perMille(rejections(faults, questions))) {
            return carryOut(faults, what, questions, call);
        }
        int locked = chance.between(0, questions.size() - 1);
        var failure = trouble(
                what, "row rejected: " + locked, RowRejectedException.locked("Someone has a lock.", new LockedRow()));
        var others = new ArrayList<>(questions);
        others.remove(locked);
        var answers = new ArrayList<>(others.isEmpty() ? List.<A>of() : carryOut(faults, what, others, call));
        answers.add(locked, failed.apply(failure));
        return answers;
    }

    private static int rejections(FaultRates faults, List<?> questions) {
        return questions.size() > 1 ? faults.rejected() * 5 : faults.rejected();
    }

    private <Q, A> List<A> carryOut(
            FaultRates faults, String what, List<Q> questions, Function<List<Q>, List<A>> call) {
        if (chance.perMille(faults.unasked())) {
            travel(faults);
            throw trouble(what, "lost on its way", lost());
        }
        if (chance.perMille(faults.partly()) && questions.size() > 1) {
            var done = questions.subList(0, chance.between(1, questions.size() - 1));
            var nobodyHears = call.apply(done);
            throw trouble(what, "broken off after " + TraceText.brief(nobodyHears), lost());
        }
        if (chance.perMille(faults.belated())) {
            var later = chance.upTo(latestArrival(questions));
            // What is carried out when nobody expects it may be a claim that nobody knows of.
            process.disturbed(A_LIFETIME);
            world.after(later, () -> carryOutUnasked(what, questions, call));
            throw trouble(what, "belated", lost());
        }
        var answers = call.apply(questions);
        process.trace(() -> what + " " + TraceText.brief(questions) + " -> " + TraceText.brief(answers));
        mayCrash(faults, what, "after");
        travel(faults);
        if (cut || chance.perMille(faults.unheard())) {
            throw trouble(what, "reply lost", lost());
        }
        return answers;
    }

    /**
     * Returns how late a batch may arrive: no later than the retention of any key it claims. A claim that the network delivers after the
     * whole life of its own record would create it anew under the same id, a limit that docs/guarantees.md states.
     */
    private static Duration latestArrival(List<?> questions) {
        return questions.stream()
                .filter(ClaimRequest.class::isInstance)
                .flatMap(claim -> ((ClaimRequest) claim).retention().duration().stream())
                .filter(retention -> retention.compareTo(MUCH_LATER) < 0)
                .min(Duration::compareTo)
                .orElse(MUCH_LATER);
    }

    private <Q, A> void carryOutUnasked(String what, List<Q> questions, Function<List<Q>, List<A>> call) {
        world.trace(() -> "belated " + what + " of " + process.name());
        try {
            var answers = call.apply(questions);
            world.trace(() -> "nobody hears " + TraceText.brief(answers));
        } catch (StoreException failure) {
            world.trace(() -> "nobody hears of " + failure);
        }
    }

    /** Runs a statement of a transaction, which fails together with its connection. */
    <A> A statement(String what, Supplier<A> call) {
        var faults = weather.faults();
        mayCrash(faults, what, "before");
        travel(faults);
        failIfCut(what);
        if (chance.perMille(faults.refused() + faults.unasked() + faults.unheard())) {
            throw trouble(what, "broken", StoreException.unavailable("The connection broke.", Effect.NONE, null));
        }
        var answer = call.get();
        process.trace(() -> what + " -> " + TraceText.brief(List.of(answer)));
        travel(faults);
        mayCrash(faults, what, "after");
        return answer;
    }

    /** Runs a commit, which may be lost before it arrives, after it, or be carried out late. */
    void commit(Runnable commit, Runnable abort) {
        var faults = weather.faults();
        mayCrash(faults, "commit", "before");
        travel(faults);
        if (cut || chance.perMille(faults.unasked())) {
            world.after(chance.upTo(Duration.ofSeconds(2)), abort);
            throw trouble("commit", "lost on its way", lost());
        }
        if (chance.perMille(faults.refused())) {
            abort.run();
            throw trouble("commit", "refused", StoreException.unavailable("Serialisation failure.", Effect.NONE, null));
        }
        if (chance.perMille(faults.belated())) {
            world.after(
                    chance.upTo(MUCH_LATER), () -> carryOutUnasked("commit", List.of(commit), FaultyStoreLink::runAll));
            throw trouble("commit", "belated", lost());
        }
        commit.run();
        process.trace(() -> "commit");
        mayCrash(faults, "commit", "after");
        travel(faults);
        if (cut || chance.perMille(faults.unheard())) {
            throw trouble("commit", "reply lost", lost());
        }
    }

    private static List<Runnable> runAll(List<Runnable> tasks) {
        tasks.forEach(Runnable::run);
        return List.of();
    }

    /** Cuts the link for this long. */
    void cut(Duration time) {
        cut = true;
        world.after(time, () -> cut = false);
    }

    private void failIfCut(String what) {
        if (cut) {
            var effect = chance.oneIn(2) ? Effect.NONE : Effect.UNKNOWN;
            throw trouble(what, "cut off", StoreException.unavailable("The store is out of reach.", effect, null));
        }
    }

    private StoreException trouble(String what, String how, StoreException failure) {
        process.disturbed(Duration.ZERO);
        process.trace(() -> what + " " + how);
        return failure;
    }

    private static StoreException lost() {
        return StoreException.unavailable("The connection was lost.", Effect.UNKNOWN, null);
    }

    private static final class LockedRow extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
