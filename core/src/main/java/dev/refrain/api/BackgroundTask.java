package dev.refrain.api;
/** Background work in small steps. */
public interface BackgroundTask {

    String name();

    /** Does a small step; returns true if there may be more to do at once. */
    boolean runStep();

    /** Returns how many times the duration of a step the worker pauses after it, so that the task yields to traffic. */
    default int pauseFactor() {
        return 4;
    }
}
