package dev.refrain.trials.simulation.law;

import java.util.ArrayList;
import java.util.List;

/** All rules that hold in a world, and what was seen to break one. */
public final class Law {

    /** A rule, and how it was broken. */
    public record Violation(String rule, String what) {

        @Override
        public String toString() {
            return rule + ": " + what;
        }
    }

    private final List<Rule> rules;
    private final List<Violation> violations = new ArrayList<>();

    private Law(List<Rule> rules) {
        this.rules = rules;
    }

    /** Everything, checked at every step of the store and everywhere outside it. */
    public static Law whole() {
        var all = new ArrayList<Rule>(List.of(
                new Fences(),
                new Leases(),
                new Lives(),
                new OutcomesStand(),
                new Batches(),
                new CallsAnnounced(),
                new TakenUpRightly()));
        all.addAll(outsideRules());
        return new Law(all);
    }

    /** Only what callers, providers and operators can see: shows that a broken step has consequences that are noticed. */
    public static Law outside() {
        return new Law(outsideRules());
    }

    private static List<Rule> outsideRules() {
        return List.of(
                new OneRunPerClaim(),
                new FailsOpenRightly(),
                new SameRequest(),
                new SameAnswers(),
                new ReplaysExpire(),
                new KeptAsSaid(),
                new QuotaHolds(),
                new DerivedKeys(),
                new EffectsOnce(),
                new HoldRunsOnce(),
                new IdsLast(),
                new SlowIsNotDead(),
                new MaxRunEnds(),
                new AttentionIsEarned(),
                new LedgerAgrees(),
                new ActsOnce(),
                new RowsOnce(),
                new FlowsAgree(),
                new FlowAttention(),
                new MessagesArrive(),
                new NothingStuck(),
                new CallsEnd(),
                new CleanShutdown());
    }

    public void check(Happening happening) {
        for (var rule : rules) {
            rule.on(
                    happening,
                    what -> violations.add(new Violation(rule.getClass().getSimpleName(), what)));
        }
    }

    public void reportViolation(String rule, String what) {
        violations.add(new Violation(rule, what));
    }

    public boolean isBroken() {
        return !violations.isEmpty();
    }

    public List<Violation> violations() {
        return List.copyOf(violations);
    }
}
