package dev.refrain.http.cases;

import dev.refrain.Refrain;
import dev.refrain.http.Route;
import dev.refrain.http.edge.BufferBudget;
import java.util.List;
import java.util.Set;

/**
 * An edge under test: a server on a port of the loopback interface. Whoever sends {@code X-User} is that user; who does not is
 * nobody.
 */
public interface EdgeUnderTest extends AutoCloseable {

    /** Starts one. */
    @FunctionalInterface
    interface Starter {
        EdgeUnderTest start(Refrain refrain, List<Route> routes, TestHandler handler) throws Exception;
    }

    int port();

    /** The memory of its bodies. */
    BufferBudget budget();

    /** The ways in which a handler can answer here. */
    Set<HandlerResponseStyle> supportedStyles();

    @Override
    void close() throws Exception;
}
