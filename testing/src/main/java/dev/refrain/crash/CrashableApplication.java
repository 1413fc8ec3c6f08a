package dev.refrain.crash;
/** Instance of the application under test, from its start to its end or crash. */
public interface CrashableApplication extends AutoCloseable {

    /** Runs one request of a client. The instance is killed during it; exceptions after that are ignored. */
    void request() throws Exception;

    /**
     * Recovers from the crash on a new instance. Returns when the work is settled, by the client's retries or by a completer.
     */
    void recover() throws Exception;

    /**
     * Stops what else dies with a process, such as a web server. Called after the instance was killed in this JVM, when it has lost its
     * connections, while its request may still run.
     */
    default void kill() throws Exception {}

    /** Closes the instance; also called for a killed one, without effect. */
    @Override
    default void close() throws Exception {}
}
