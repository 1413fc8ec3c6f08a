package dev.refrain.http.cases;

import dev.refrain.Refrain;
import dev.refrain.http.policy.Route;
import java.util.List;
import java.util.Set;

/**
 * An edge under test: a server on a port of the loopback interface. Whoever sends {@code X-User} is that user; who does not is
 * nobody.
 */
public interface Edge extends AutoCloseable {

    /** Starts one. */
    @FunctionalInterface
    interface Starter {
        Edge start(Refrain refrain, List<Route> routes, Handler handler) throws Exception;
    }

    int port();

    /** The ways in which a handler can answer here. */
    Set<Way> supportedStyles();

    @Override
    void close() throws Exception;
}
