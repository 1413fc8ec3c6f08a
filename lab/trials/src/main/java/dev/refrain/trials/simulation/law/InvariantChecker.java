package dev.refrain.trials.simulation.law;

import java.util.ArrayList;
import java.util.List;

/** All rules that hold in a world, and what was seen to break one. */
public final class InvariantChecker {

    /** A rule, and how it was broken. */
    public record Violation(String rule, String what) {

        @Override
        public String toString() {
            return rule + ": " + what;
        }
    }

    private final List<InvariantRule> rules;
    private final List<Violation> violations = new ArrayList<>();

    private InvariantChecker(List<InvariantRule> rules) {
        this.rules = rules;
    }

    /** Everything, checked at every step of the store and everywhere outside it. */
    public static InvariantChecker whole() {
        var all = new ArrayList<InvariantRule>(List.of(
                new FenceRule(),
                new StateTransitionRule(),
                new RecordLifetimeRule(),
                new StableOutcomeRule(),
                new BatchOrderRule(),
                new CallIntentStoredRule(),
                new CompleterEligibilityRule()));
        all.addAll(outsideRules());
        return new InvariantChecker(all);
    }

    /** Only what callers, providers and operators can see: shows that a broken step has consequences that are noticed. */
    public static InvariantChecker outside() {
        return new InvariantChecker(outsideRules());
    }

    private static List<InvariantRule> outsideRules() {
        return List.of(
                new OneRunPerClaimRule(),
                new FailOpenRule(),
                new SameRequestRule(),
                new IdenticalReplayRule(),
                new ReplayExpiryRule(),
                new ExtendedRetentionRule(),
                new ScopeQuotaRule(),
                new StableDerivedKeyRule(),
                new SingleProviderEffectRule(),
                new HoldRunsOnceRule(),
                new StableRecordIdRule(),
                new LeaseRenewalRule(),
                new MaxRunTimeRule(),
                new JustifiedAttentionRule(),
                new LedgerConsistencyRule(),
                new SingleForeignActionRule(),
                new SingleRowRule(),
                new FlowConsistencyRule(),
                new FlowAttentionRule(),
                new MessageDeliveryRule(),
                new NothingStuckRule(),
                new CallsTerminateRule(),
                new CleanShutdownRule());
    }

    public void check(SimulationEvent happening) {
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
