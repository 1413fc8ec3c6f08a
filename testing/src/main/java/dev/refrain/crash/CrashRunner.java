package dev.refrain.crash;

import java.time.Duration;
import java.util.List;

/** Starts and kills an application. */
interface CrashRunner<T extends CrashTrial> extends AutoCloseable {

    /** Starts an instance in this JVM that is not killed. */
    CrashableApplication start(T trial, CrashInjector life) throws Exception;

    /** Runs one request until the instance is killed; false if the request ended without reaching the crash point. */
    boolean killAt(CrashPoint boundary, T trial, Duration within) throws Exception;

    @Override
    void close() throws Exception;

    /** Returns the crash points of a request that is not killed; the end of its instance is no part of it. */
    default List<CrashPoint> recordCrashPoints(T trial, Duration within) throws Exception {
        var life = CrashInjector.neverCrashing();
        try (var application = start(trial, life)) {
            life.startRecording();
            TimeLimitedTask.run("request", within, application::request);
            return life.passedPoints();
        }
    }

    default void recover(T trial, Duration within) throws Exception {
        try (var application = start(trial, CrashInjector.neverCrashing())) {
            TimeLimitedTask.run("recovery", within, application::recover);
        }
    }
}
