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
        var all = storeRules();
        all.add(new CallIntentStoredRule());
        all.addAll(outsideRules());
        return new InvariantChecker(all);
    }

    /** Returns the rules of a world of sagas. */
    public static InvariantChecker ofSagas() {
        var all = storeRules();
        all.addAll(List.of(
                new CallIntentStoredRule(),
                new SingleForeignActionRule(),
                new SingleRowRule(),
                new CleanShutdownRule(),
                new SagaConsistencyRule(),
                new GivenUpJobRule()));
        return new InvariantChecker(all);
    }

    /** Returns the rules of a world of transfers with a reconciler. */
    public static InvariantChecker ofLedgers() {
        var all = storeRules();
        all.addAll(List.of(new CleanShutdownRule(), new LedgerFindingsRule()));
        return new InvariantChecker(all);
    }

    /** Returns the rules of a world of relays that are slower than their leases. */
    public static InvariantChecker ofRelays() {
        return new InvariantChecker(List.of(new TriedBeforeDeadRule(), new SingleRowRule(), new CleanShutdownRule()));
    }

    /** Returns the rules about each record and each request to the store. */
    private static List<InvariantRule> storeRules() {
        return new ArrayList<>(List.of(
                new FenceRule(),
                new StateTransitionRule(),
                new RecordLifetimeRule(),
                new StableOutcomeRule(),
                new SortedBatchRule(),
                new CompleterEligibilityRule()));
    }

    /** Returns the rules that callers, providers and operators can check, to show that a broken step has visible consequences. */
    public static InvariantChecker outside() {
        return new InvariantChecker(outsideRules());
    }

    private static List<InvariantRule> outsideRules() {
        return List.of(
                new OneRunPerClaimRule(),
                new FailOpenRule(),
                new OverloadRefusalRule(),
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
                new TransactionOverrunRule(),
                new JustifiedAttentionRule(),
                new LedgerConsistencyRule(),
                new SingleForeignActionRule(),
                new SingleRowRule(),
                new FlowConsistencyRule(),
                new FlowAttentionRule(),
                new MessageDeliveryRule(),
                new SweepCompletenessRule(),
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
