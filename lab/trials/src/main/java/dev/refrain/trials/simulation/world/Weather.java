package dev.refrain.trials.simulation.world;

/** The faults of now: those of the plan until the last act is over, and none after. */
final class Weather {

    private Faults faults;

    Weather(Faults faults) {
        this.faults = faults;
    }

    Faults faults() {
        return faults;
    }

    void calm() {
        faults = Faults.NONE;
    }
}
