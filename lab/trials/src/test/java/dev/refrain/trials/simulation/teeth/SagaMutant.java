package dev.refrain.trials.simulation.teeth;

import dev.refrain.trials.simulation.law.SimulatedGuarantee;
import dev.refrain.trials.simulation.world.SimulationMutation;
import dev.refrain.trials.simulation.world.SimulationMutation.JobLookupMutation;

/** Mutants of sagas, each with the rule that notices it. */
enum SagaMutant {
    JOB_IS_NOT_GIVEN_UP(SimulationMutation.forgettingJoined(), "GivenUpJobRule", "SingleRowRule"),
    COMPENSATION_IS_SKIPPED(
            SimulationMutation.withStore(BrokenSagas::compensationIsSkipped), "SagaConsistencyRule", "SingleRowRule"),
    COMPENSATIONS_RUN_FORWARD(
            SimulationMutation.withStore(BrokenSagas::compensationsRunForward), "SagaConsistencyRule", "SingleRowRule"),
    COMPENSATION_IS_REPEATED(SimulationMutation.withStore(BrokenSagas::compensationIsRepeated), "SingleRowRule"),
    ANOTHER_COMPENSATION_IS_RETRIED(
            SimulationMutation.withStore(BrokenSagas::anotherCompensationIsRetried), "SingleRowRule"),
    DECISION_IS_LOST(SimulationMutation.withStore(BrokenSagas::decisionIsLost), "SagaConsistencyRule"),
    COMPENSATION_OF_THE_JOB_IS_SKIPPED(
            SimulationMutation.withStore(BrokenSagas::compensationOfTheJobIsSkipped), "SagaConsistencyRule"),
    FAILED_JOB_IS_DONE(SimulationMutation.withStore(BrokenSagas::failedJobIsDone), "SagaConsistencyRule"),
    UNKNOWN_JOB_COUNTS_AS_FAILED(
            SimulationMutation.withJobs(JobLookupMutation.UNKNOWN_IS_FAILED), "SagaConsistencyRule"),
    DOUBT_ABOUT_A_JOB_IS_FORGOTTEN(
            SimulationMutation.withJobs(JobLookupMutation.DOUBT_IS_FORGOTTEN), "SagaConsistencyRule"),
    DECISION_ON_A_JOB_IS_LOST(SimulationMutation.withStore(BrokenSagas::decisionOnAJobIsLost), "SagaConsistencyRule"),
    NOBODY_COMPLETES(SimulationMutation.withStore(BrokenFlows::nobodyCompletes), "SagaConsistencyRule"),
    LOOKUP_IS_SKIPPED(BrokenFlows.sentAgainTo(SimulatedGuarantee.LOOKUP), "SingleForeignActionRule");

    final SimulationMutation tampering;
    final String[] rules;

    SagaMutant(SimulationMutation tampering, String... rules) {
        this.tampering = tampering;
        this.rules = rules;
    }
}
