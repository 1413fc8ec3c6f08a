package dev.refrain.crash;

import java.time.Duration;
import java.util.List;

/** How an application is started and killed. */
interface CrashRunner<T extends CrashTrial> extends AutoCloseable {

    /** Starts one that is not killed, here. */
    CrashableApplication start(T trial, CrashInjector life) throws Exception;

    /** Lets it serve one request until it is killed; false if the request ended without coming to the boundary. */
    boolean killAt(CrashPoint boundary, T trial, Duration within) throws Exception;

    @Override
    void close() throws Exception;

    /** The boundaries of a request that is left in peace. */
    default List<CrashPoint> recordCrashPoints(T trial, Duration within) throws Exception {
        var life = CrashInjector.neverCrashing();
        try (var application = start(trial, life)) {
            life.startRecording();
            TimeLimitedTask.run("request", within, application::request);
        }
        return life.passedPoints();
    }

    default void recover(T trial, Duration within) throws Exception {
        try (var application = start(trial, CrashInjector.neverCrashing())) {
            TimeLimitedTask.run("recovery", within, application::recover);
        }
    }
}
