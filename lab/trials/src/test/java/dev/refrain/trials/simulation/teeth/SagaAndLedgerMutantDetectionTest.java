package dev.refrain.trials.simulation.teeth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.trials.simulation.Simulation;
import dev.refrain.trials.simulation.law.InvariantChecker;
import dev.refrain.trials.simulation.world.SimulationMutation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that the simulations of sagas, of the reconciler and of slow relays notice each rule that is broken on purpose. */
class SagaAndLedgerMutantDetectionTest {

    private static final int SEEDS = 200;

    @ParameterizedTest
    @EnumSource(SagaMutant.class)
    void brokenRuleOfSagasIsNoticedWithin200Seeds(SagaMutant tooth) {
        assertNoticed(tooth, Simulation.ofSagas(tooth.tampering), tooth.rules);
    }

    @ParameterizedTest
    @EnumSource(LedgerMutant.class)
    void brokenRuleOfTheReconcilerIsNoticedWithin200Seeds(LedgerMutant tooth) {
        assertNoticed(tooth, Simulation.ofLedgers(SimulationMutation.withLedger(tooth)), "LedgerFindingsRule");
    }

    @ParameterizedTest
    @EnumSource(SlowRelayMutant.class)
    void brokenRuleOfSlowRelaysIsNoticedWithin200Seeds(SlowRelayMutant tooth) {
        assertNoticed(tooth, Simulation.ofRelays(SimulationMutation.withOutbox(tooth)), "TriedBeforeDeadRule");
    }

    private static void assertNoticed(Enum<?> tooth, Simulation simulation, String... rules) {
        var failing = simulation.run(1, SEEDS).failing();
        assertThat(failing).as("%s within %d seeds", tooth, SEEDS).isPresent();
        var violations = simulation.replay(failing.get()).violations();
        System.out.println(tooth + ": seed " + failing.get() + ", " + violations);
        assertThat(violations).extracting(InvariantChecker.Violation::rule).containsAnyOf(rules);
    }
}
