package dev.refrain.spring.internal.handler;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.OperationStore;
import dev.refrain.spring.RefrainStartException;
import dev.refrain.spring.internal.transaction.CommonTransactionCheck;
import dev.refrain.store.StoreAbility;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.web.method.HandlerMethod;

/** Chooses the mode of a handler from its annotation and the abilities of its web framework. */
public sealed interface HandlerModeResolver {

    /**
     * Returns the mode of a handler.
     *
     * @throws RefrainStartException if the web framework does not support the mode
     */
    OperationMode modeOf(HandlerMethod handler, Idempotent.Mode asked, HandlerStore store);

    /**
     * Returns the route, if its mode is supported.
     *
     * @throws RefrainStartException if the web framework does not support the mode
     */
    Route requireSupported(Route declared);

    /**
     * Requires that the work of a handler stays in the transaction of its key.
     *
     * @throws RefrainStartException if it would leave it
     */
    void requireJoining(HandlerMethod handler, OperationStore store);

    /** Returns true if requests may reach handlers that are not listed at startup. */
    boolean hasUnlistedHandlers();

    /**
     * Chooses the mode of work that stays on one thread.
     *
     * @param inTransaction whether the work is in a transaction on the keys' database
     */
    static OperationMode threadBoundMode(
            String name, Idempotent.Mode asked, OperationStore store, boolean inTransaction) {
        requireFlowsOfDefaultStore(name, asked == Idempotent.Mode.FLOW, store);
        return switch (asked) {
            case TRANSACTIONAL -> OperationMode.transactional();
            case LEASED_RESUME -> OperationMode.leased(LeaseExpiryPolicy.RESUME);
            case LEASED_HOLD -> OperationMode.leased(LeaseExpiryPolicy.HOLD);
            case FLOW -> OperationMode.flow();
            case BY_TRANSACTION -> {
                if (!inTransaction) {
                    throw withoutTransaction(name, store);
                }
                yield OperationMode.transactional();
            }
        };
    }

    /**
     * Refuses work whose annotation asks for a transaction that nothing would begin on the keys' database.
     *
     * @param annotated whether the work is {@code @Transactional}
     * @param managed whether a transaction manager manages the keys' database
     */
    static void requireManager(
            String name, Idempotent.Mode asked, OperationStore store, boolean annotated, boolean managed) {
        if (asked == Idempotent.Mode.BY_TRANSACTION
                && annotated
                && !managed
                && store.jdbc().isPresent()) {
            throw new RefrainStartException(
                    name + " is @Transactional, but no transaction manager manages the database of its keys"
                            + (store.isDefault() ? "" : ", that of " + store.inWords())
                            + ". Spring Boot makes one only for a single or a @Primary DataSource.",
                    "Define one, new JdbcTransactionManager(dataSource) with the DataSource of the keys, and name it in"
                            + " @Transactional(\"…\") if there are several; or set mode = LEASED_RESUME (runs it again after a crash,"
                            + " under the same derived keys) or LEASED_HOLD (holds the key until an operator resolves it).");
        }
    }

    private static RefrainStartException withoutTransaction(String name, OperationStore store) {
        String what = name + " is @Idempotent but not @Transactional on the keys' database";
        String modes = "choose what happens after a crash: mode ="
                + " LEASED_RESUME runs it again under the same derived keys, LEASED_HOLD holds the key until an operator resolves it.";
        var without = store.store().filter(each -> !StoreAbility.TRANSACTIONS.isIn(each));
        if (without.isPresent()) {
            return new RefrainStartException(
                    what + ": its keys are in " + store.inWords() + " ("
                            + without.get().traits().name() + "), which has no transactions.",
                    "Keep them in the database of its work, or " + modes);
        }
        return new RefrainStartException(
                what + (store.isDefault() ? "" : ", that of " + store.inWords()) + ".",
                "Make it @Transactional, or " + modes
                        + (store.isDefault()
                                        && store.isEncrypted()
                                        && store.jdbc().isEmpty()
                                ? " If the EncryptingStore bean is around a JdbcStore, make that a bean too: it is the one with the"
                                        + " transactions."
                                : ""));
    }

    /** Refuses a flow on a named store: the starter runs flows, and completes abandoned ones, on the default store. */
    static void requireFlowsOfDefaultStore(String name, boolean flow, OperationStore store) {
        if (flow && !store.isDefault()) {
            throw new RefrainStartException(
                    name + " runs a flow and names " + store.inWords()
                            + ", but flows run on the default store, where their completer looks for them.",
                    "Remove the name of the store, or choose another mode.");
        }
    }

    /**
     * Resolver for servlet applications, where a request and its transaction stay on one thread.
     *
     * @param hasUnlistedHandlers whether there are functional endpoints
     * @param beans where to look up a transaction manager that a handler names
     */
    record ThreadBoundModeResolver(boolean hasUnlistedHandlers, ListableBeanFactory beans)
            implements HandlerModeResolver {
        @Override
        public OperationMode modeOf(HandlerMethod handler, Idempotent.Mode asked, HandlerStore store) {
            String name = ProtectedHandlerRegistry.nameOf(handler);
            boolean annotated = ProtectedHandlerRegistry.isTransactional(handler);
            boolean managed = store.transactions().isPresent();
            requireManager(name, asked, store.store(), annotated, managed);
            var mode = threadBoundMode(name, asked, store.store(), managed && annotated);
            if (mode instanceof OperationMode.Transactional) {
                requireJoining(handler, store.store());
            }
            return mode;
        }

        @Override
        public void requireJoining(HandlerMethod handler, OperationStore store) {
            String name = ProtectedHandlerRegistry.nameOf(handler);
            requireSynchronous(name, handler);
            CommonTransactionCheck.require(name, handler.getMethod(), handler.getBeanType(), store, beans);
        }

        /** Refuses work that another thread would do after the transaction of its key. */
        private static void requireSynchronous(String name, HandlerMethod handler) {
            if (AsyncTypes.isSuspending(handler.getMethod())) {
                throw new RefrainStartException(
                        name
                                + " is protected in a transaction, but is a suspend function: its work would go on after the"
                                + " transaction of its key, on another thread.",
                        "Make it a function that does not suspend, or choose mode = LEASED_RESUME or LEASED_HOLD.");
            }
            if (AsyncTypes.isAsyncResponse(
                    ResolvableType.forMethodReturnType(handler.getMethod(), handler.getBeanType()))) {
                throw new RefrainStartException(
                        name + " is protected in a transaction, but returns "
                                + handler.getReturnType().getParameterType().getSimpleName()
                                + ": its work would go on after the transaction of its key, on another thread.",
                        "Make it return the value itself, or choose mode = LEASED_RESUME or LEASED_HOLD.");
            }
        }

        @Override
        public Route requireSupported(Route declared) {
            return declared;
        }
    }

    /** Resolver for WebFlux, where a request moves between threads and no JDBC transaction can follow. */
    record ReactiveModeResolver() implements HandlerModeResolver {

        private static final String WHY =
                ", but in WebFlux work moves between threads, and a JDBC transaction is bound to one.";

        @Override
        public OperationMode modeOf(HandlerMethod handler, Idempotent.Mode asked, HandlerStore store) {
            return switch (asked) {
                case LEASED_RESUME -> OperationMode.leased(LeaseExpiryPolicy.RESUME);
                case LEASED_HOLD -> OperationMode.leased(LeaseExpiryPolicy.HOLD);
                case TRANSACTIONAL, BY_TRANSACTION, FLOW ->
                    throw new RefrainStartException(
                            ProtectedHandlerRegistry.nameOf(handler) + " is @Idempotent with mode = " + asked + WHY,
                            "Choose what happens after a crash: mode = LEASED_RESUME runs it again under"
                                    + " the same derived keys, LEASED_HOLD holds the key until an operator resolves it.");
            };
        }

        /** Requires nothing: no handler is transactional here. */
        @Override
        public void requireJoining(HandlerMethod handler, OperationStore store) {}

        /** Returns true: functional endpoints are not listed. */
        @Override
        public boolean hasUnlistedHandlers() {
            return true;
        }

        @Override
        public Route requireSupported(Route declared) {
            var mode = declared.policy().run().mode();
            if (!(mode instanceof OperationMode.Leased)) {
                throw new RefrainStartException(
                        "The route " + declared.name() + " is " + mode + WHY, "Make its mode leased.");
            }
            return declared;
        }
    }
}
