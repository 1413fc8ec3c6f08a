package dev.refrain.trials.simulation.world;
/** Fault rates at this moment: those of the plan until the last act is over, and none after. */
final class CurrentFaultRates {

    private FaultRates faults;

    CurrentFaultRates(FaultRates faults) {
        this.faults = faults;
    }

    FaultRates faults() {
        return faults;
    }

    void calm() {
        faults = FaultRates.NONE;
    }
}
