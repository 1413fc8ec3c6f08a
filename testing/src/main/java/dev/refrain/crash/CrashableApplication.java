package dev.refrain.crash;
/** One instance of the application, from its start to its end or its crash. */
public interface CrashableApplication extends AutoCloseable {

    /** What a client asks for, once. It is killed somewhere in here; what it throws from then on is not looked at. */
    void request() throws Exception;

    /**
     * Called on an instance that was started after the crash. Returns when all is settled: after the client's retries, or when whatever
     * finishes abandoned work has done so.
     */
    void recover() throws Exception;

    /** Also called for an instance that was killed, when nothing that it does has an effect any more. */
    @Override
    default void close() throws Exception {}
}
