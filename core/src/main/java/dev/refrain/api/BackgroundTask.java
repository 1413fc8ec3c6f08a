package dev.refrain.api;
/** Background work in small steps. */
public interface BackgroundTask {

    String name();

    /** Does a little; true if there may be more to do at once. */
    boolean runStep();

    /** For how many times as long as a step took it rests before the next, so that it yields to traffic. */
    default int pauseFactor() {
        return 4;
    }
}
