package dev.refrain.trials.simulation.teeth;

import dev.refrain.trials.simulation.law.SimulatedGuarantee;
import dev.refrain.trials.simulation.world.SimulationMutation;

/** Mutants of sagas, each with the rule that notices it. */
enum SagaMutant {
    JOB_IS_NOT_GIVEN_UP(SimulationMutation.forgettingJoined(), "GivenUpJobRule", "SingleRowRule"),
    COMPENSATION_IS_SKIPPED(
            SimulationMutation.withStore(BrokenSagas::compensationIsSkipped), "SagaConsistencyRule", "SingleRowRule"),
    COMPENSATIONS_RUN_FORWARD(
            SimulationMutation.withStore(BrokenSagas::compensationsRunForward), "SagaConsistencyRule"),
    COMPENSATION_IS_REPEATED(SimulationMutation.withStore(BrokenSagas::compensationIsRepeated), "SingleRowRule"),
    ANOTHER_COMPENSATION_IS_RETRIED(
            SimulationMutation.withStore(BrokenSagas::anotherCompensationIsRetried), "SingleRowRule"),
    DECISION_IS_LOST(SimulationMutation.withStore(BrokenSagas::decisionIsLost), "SagaConsistencyRule"),
    NOBODY_COMPLETES(SimulationMutation.withStore(BrokenFlows::nobodyCompletes), "SagaConsistencyRule"),
    LOOKUP_IS_SKIPPED(BrokenFlows.sentAgainTo(SimulatedGuarantee.LOOKUP), "SingleForeignActionRule");

    final SimulationMutation tampering;
    final String[] rules;

    SagaMutant(SimulationMutation tampering, String... rules) {
        this.tampering = tampering;
        this.rules = rules;
    }
}
