package dev.refrain.trials.simulation.law;

import java.util.ArrayList;
import java.util.List;

/** All rules of a world, and the violations that were found. */
public final class InvariantChecker {

    /** Violation of a rule. */
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

    /** Returns all rules, checked at every step of the store and outside it. */
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

    /** Returns the rules that callers, providers and operators can check, to show that a broken step has visible consequences. */
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
