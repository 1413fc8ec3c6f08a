package dev.refrain.spring.handler;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.transaction.TransactionalAnnotations;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.web.method.HandlerMethod;

/** Says how a handler runs, by what is asked for and what its web framework can do. */
public sealed interface HandlerModeResolver {

    /** @throws IllegalArgumentException if it cannot run in that way here */
    OperationMode modeOf(HandlerMethod handler, Idempotent.Mode asked);

    /** @throws IllegalArgumentException if it cannot run in its way here */
    Route requireSupported(Route declared);

    /** Whether requests may lead to handlers that are not listed at the start. */
    boolean hasUnlistedHandlers();

    /**
     * How work runs that keeps its thread.
     *
     * @param inTransaction whether it is in a transaction on the database that the keys are in
     */
    static OperationMode threadBoundMode(String name, Idempotent.Mode asked, boolean inTransaction) {
        return switch (asked) {
            case TRANSACTIONAL -> OperationMode.transactional();
            case LEASED_RESUME -> OperationMode.leased(LeaseExpiryPolicy.RESUME);
            case LEASED_HOLD -> OperationMode.leased(LeaseExpiryPolicy.HOLD);
            case FLOW -> OperationMode.flow();
            case BY_TRANSACTION -> {
                if (!inTransaction) {
                    throw new IllegalArgumentException(
                            name
                                    + " is @Idempotent but not @Transactional on the database that its keys are in. Make it"
                                    + " @Transactional; or say what becomes of work that a crash interrupts: mode ="
                                    + " LEASED_RESUME runs it again under the same derived keys, LEASED_HOLD waits for someone to find out.");
                }
                yield OperationMode.transactional();
            }
        };
    }

    /**
     * A request keeps its thread, and a transaction with it.
     *
     * @param transactions whether there are any on the database that the keys are in
     * @param hasUnlistedHandlers whether there are functional endpoints
     * @param beans where the transaction manager is found that a handler names
     */
    record ThreadBoundModeResolver(boolean transactions, boolean hasUnlistedHandlers, BeanFactory beans)
            implements HandlerModeResolver {
        @Override
        public OperationMode modeOf(HandlerMethod handler, Idempotent.Mode asked) {
            String name = ProtectedHandlerRegistry.nameOf(handler);
            var mode = threadBoundMode(name, asked, transactions && ProtectedHandlerRegistry.isTransactional(handler));
            if (mode instanceof OperationMode.Transactional) {
                TransactionalAnnotations.requireJoining(name, handler.getMethod(), handler.getBeanType(), beans);
            }
            return mode;
        }

        @Override
        public Route requireSupported(Route declared) {
            return declared;
        }
    }

    /** A request moves between threads, where no transaction of JDBC can follow it. */
    record ReactiveModeResolver() implements HandlerModeResolver {

        private static final String WHY =
                ", but this is WebFlux: work moves between threads here, and a JDBC transaction is bound to one. ";

        @Override
        public OperationMode modeOf(HandlerMethod handler, Idempotent.Mode asked) {
            return switch (asked) {
                case LEASED_RESUME -> OperationMode.leased(LeaseExpiryPolicy.RESUME);
                case LEASED_HOLD -> OperationMode.leased(LeaseExpiryPolicy.HOLD);
                case TRANSACTIONAL, BY_TRANSACTION, FLOW ->
                    throw new IllegalArgumentException(
                            ProtectedHandlerRegistry.nameOf(handler) + " is @Idempotent with mode = " + asked + WHY
                                    + "Say what becomes of work that a crash interrupts: mode = LEASED_RESUME runs it again under"
                                    + " the same derived keys, LEASED_HOLD waits for someone to find out.");
            };
        }

        /** Functional endpoints. */
        @Override
        public boolean hasUnlistedHandlers() {
            return true;
        }

        @Override
        public Route requireSupported(Route declared) {
            var mode = declared.policy().run().mode();
            if (!(mode instanceof OperationMode.Leased)) {
                throw new IllegalArgumentException(
                        "The route " + declared.name() + " is " + mode + WHY + "Make its mode leased.");
            }
            return declared;
        }
    }
}
