package dev.refrain.crash;

import java.time.Duration;
import java.util.List;

/** How an application is started and killed. */
interface Runner<T extends Trial> extends AutoCloseable {

    /** Starts one that is not killed, here. */
    Application start(T trial, Life life) throws Exception;

    /** Lets it serve one request until it is killed; false if the request ended without coming to the boundary. */
    boolean killAt(Boundary boundary, T trial, Duration within) throws Exception;

    @Override
    void close() throws Exception;

    /** The boundaries of a request that is left in peace. */
    default List<Boundary> recordCrashPoints(T trial, Duration within) throws Exception {
        var life = Life.neverCrashing();
        try (var application = start(trial, life)) {
            life.startRecording();
            Limited.run("request", within, application::request);
        }
        return life.passedPoints();
    }

    default void recover(T trial, Duration within) throws Exception {
        try (var application = start(trial, Life.neverCrashing())) {
            Limited.run("recovery", within, application::recover);
        }
    }
}
