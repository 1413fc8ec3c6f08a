package dev.refrain.servers;

/** Database server on the loopback interface that tests fill, kill and start again. */
public interface KillableServer extends AutoCloseable {

    /** Creates an empty database and returns its URL, user and password included. On a server of the user's own it is dropped at the end. */
    String freshDatabase();

    /**
     * SIGKILLs the server with all its processes and returns when they are gone.
     *
     * @throws UnsupportedOperationException if this is a server of the user's own
     */
    void killHard();

    /**
     * Starts the server again on the same data directory and the same port; one that runs is stopped first.
     *
     * @throws UnsupportedOperationException if this is a server of the user's own
     */
    void restart();

    /** Stops the server and removes its data directory, unless that was given. Closing twice does no harm. */
    @Override
    void close();
}
