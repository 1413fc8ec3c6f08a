package dev.refrain.spring.method;

import dev.refrain.DelegatedCall;
import dev.refrain.LeasedOperation;
import dev.refrain.Operation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.ResultType;
import dev.refrain.TransactionalOperation;
import dev.refrain.http.InFlightPolicy;
import dev.refrain.http.OperationMode;
import dev.refrain.http.internal.settings.SettingParser;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.RefrainStartException;
import dev.refrain.spring.RefrainStores;
import dev.refrain.spring.internal.handler.AsyncTypes;
import dev.refrain.spring.internal.handler.HandlerModeResolver;
import dev.refrain.spring.internal.transaction.TransactionalAnnotations;
import dev.refrain.spring.internal.transaction.TransactionalSettings;
import dev.refrain.spring.method.IdempotentMethodInterceptor.MethodTransactions;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.sql.Connection;
import java.util.List;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Protection of one bean method. Its arguments are the request, its return value the outcome. Thread-safe. */
final class IdempotentMethodInvoker {

    /** Way to run the method in one of the modes. */
    @FunctionalInterface
    private interface InvocationStrategy {
        @Nullable
        Object run(OperationCall call, MethodInvocation invocation) throws Exception;
    }

    private final MethodKeyReader keys;
    private final InvocationStrategy way;
    private final String store;
    private final boolean transactional;

    private IdempotentMethodInvoker(MethodKeyReader keys, String store, boolean transactional, InvocationStrategy way) {
        this.keys = keys;
        this.way = way;
        this.store = store;
        this.transactional = transactional;
    }

    /** Returns true if it runs in transactions of this store. */
    boolean isTransactionalOn(String name) {
        return transactional && store.equals(name);
    }

    static IdempotentMethodInvoker of(Class<?> bean, Method method, RefrainStores stores, ListableBeanFactory beans) {
        var annotation = AnnotatedElementUtils.findMergedAnnotation(method, Idempotent.class);
        if (annotation == null) {
            throw new IllegalArgumentException(method + " is not @Idempotent.");
        }
        String name = bean.getSimpleName() + "." + method.getName();
        if (MethodExpression.NAMES.getParameterNames(method) == null
                && !annotation.key().matches(".*#[ap]\\d.*")) {
            throw new RefrainStartException(
                    name + ": its parameters have no names at run time, so its key expression cannot be evaluated.",
                    "Compile with -parameters, or use #a0, #a1.");
        }
        if (annotation.keepRequest() != Idempotent.KeepRequest.AS_CONFIGURED
                || annotation.redactedFields().length > 0) {
            throw new RefrainStartException(
                    name
                            + ": keepRequest and redactedFields go with HTTP handlers only: a bean method has no request as it was received.",
                    "Remove them.");
        }
        requireSynchronous(name, bean, method);
        var store = stores.require(annotation.store(), name);
        ComparableArguments.require(name, bean, method, store.refrain().codec());
        var transactions = MethodTransactions.find(store, beans);
        boolean inTransaction = transactions.isPresent() && isTransactional(method, bean);
        var mode = HandlerModeResolver.threadBoundMode(name, annotation.mode(), store, inTransaction);
        if (mode instanceof OperationMode.Transactional) {
            TransactionalAnnotations.requireJoining(name, method, bean, store, beans);
        }
        var operation = operation(name, bean, method, annotation, store.refrain());
        stores.requireOneStore(operation.namespace(), store, name);
        return new IdempotentMethodInvoker(
                MethodKeyReader.of(name, method, bean, annotation, beans),
                annotation.store(),
                mode instanceof OperationMode.Transactional,
                switch (mode) {
                    case OperationMode.Leased leased ->
                        TransactionalAnnotations.joins(method, bean)
                                ? leasedOutsideOfTransactions(name, operation.leased(leased.takeOver()))
                                : leased(operation.leased(leased.takeOver()));
                    case OperationMode.Flow flow -> flow(name, operation);
                    case OperationMode.Transactional transactional -> {
                        var there = transactions.orElseThrow(() -> new RefrainStartException(
                                name + " is transactional, but no transaction manager manages the database of "
                                        + store.inWords() + ".",
                                "Make it leased, or configure one."));
                        TransactionalSettings.requireRollback(name, method, bean, beans);
                        var settings = TransactionalSettings.of(name, method, bean, beans);
                        var way = transactional(operation.transactional(there.with(settings)), there);
                        yield settings.getPropagationBehavior() == TransactionDefinition.PROPAGATION_MANDATORY
                                ? onlyInTransactions(name, way)
                                : way;
                    }
                });
    }

    private static boolean isTransactional(Method method, Class<?> bean) {
        return TransactionalAnnotations.find(method, bean).isPresent();
    }

    private static void requireSynchronous(String name, Class<?> bean, Method method) {
        if (AsyncTypes.isSuspending(method)) {
            throw new RefrainStartException(
                    name + " is @Idempotent but is a suspend function: it returns before its work is done.",
                    "Protect a function that does not suspend, and call that one.");
        }
        if (AsyncTypes.isAsyncResponse(ResolvableType.forMethodReturnType(method, bean))) {
            throw new RefrainStartException(
                    name + " is @Idempotent but returns before its work is done.", "Make it return the value itself.");
        }
    }

    private static Operation<?> operation(
            String name, Class<?> bean, Method method, Idempotent annotation, Refrain refrain) {
        Operation<?> operation = refrain.operation(
                annotation.operation().isEmpty() ? name : annotation.operation(),
                ResultType.of(boxed(GenericTypeResolver.resolveType(method.getGenericReturnType(), bean))));
        if (!annotation.retention().isEmpty()) {
            operation = operation.retention(
                    SettingParser.retention(name + ": @Idempotent.retention", annotation.retention()));
        }
        if (annotation.profile() != Idempotent.Profile.AS_CONFIGURED) {
            operation =
                    operation.outcomeRule(annotation.profile().outcomeProfile().rule());
        }
        if (annotation.ignoredFields().length > 0) {
            operation = operation.fingerprinter(SettingParser.ignoredFields(
                    name + ": @Idempotent.ignoredFields", List.of(annotation.ignoredFields())));
        }
        if (!annotation.inFlight().isEmpty()
                && SettingParser.inFlight(name + ": @Idempotent.inFlight", annotation.inFlight())
                        instanceof InFlightPolicy.Wait wait) {
            operation = operation.waitWhileInFlight(wait.limit());
        }
        return operation;
    }

    private static Type boxed(Type type) {
        if (type == void.class) {
            return Void.class;
        }
        return type instanceof Class<?> plain
                ? org.springframework.util.ClassUtils.resolvePrimitiveIfNecessary(plain)
                : type;
    }

    private static <T> InvocationStrategy leased(LeasedOperation<T> operation) {
        return (call, invocation) -> operation.run(call, claim -> IdempotentMethodInvoker.<T>proceed(invocation));
    }

    /**
     * Rejects a leased call inside its caller's transaction: the work would commit after its outcome is stored, or be rolled back
     * despite it.
     */
    private static <T> InvocationStrategy leasedOutsideOfTransactions(String name, LeasedOperation<T> operation) {
        var way = leased(operation);
        return (call, invocation) -> {
            if (TransactionSynchronizationManager.isActualTransactionActive()) {
                throw new IllegalStateException(name
                        + " is @Idempotent, leased and @Transactional, but was called in an open transaction: its outcome would be"
                        + " stored although its work may still be rolled back. Make it transactional (mode = TRANSACTIONAL), give it"
                        + " a transaction of its own (REQUIRES_NEW), or call it outside. Nothing ran.");
            }
            return way.run(call, invocation);
        };
    }

    /** Runs a flow, which claims the key itself and replays its own outcome. */
    private static InvocationStrategy flow(String name, Operation<?> operation) {
        return (call, invocation) -> {
            try (var offered = DelegatedCall.delegate(operation, call)) {
                Object value = proceed(invocation);
                if (offered.result().isEmpty()) {
                    throw new IllegalStateException(
                            name
                                    + " is @Idempotent with mode = FLOW but ran no flow: call FlowRunner.runForCurrentCall(flow, request) in it.");
                }
                return value;
            }
        };
    }

    /** Rejects a call of a {@code MANDATORY} method outside of its caller's transaction, as Spring does. */
    private static InvocationStrategy onlyInTransactions(String name, InvocationStrategy way) {
        return (call, invocation) -> {
            if (!TransactionSynchronizationManager.isActualTransactionActive()) {
                throw new IllegalTransactionStateException(
                        name + " has propagation MANDATORY, but was called outside of a transaction. Nothing ran.");
            }
            return way.run(call, invocation);
        };
    }

    /** Runs in the transaction already open on this thread, or else in a new one. */
    private static <T> InvocationStrategy transactional(
            TransactionalOperation<T, Connection> operation, MethodTransactions there) {
        return (call, invocation) -> {
            boolean open = TransactionSynchronizationManager.isActualTransactionActive()
                    && TransactionSynchronizationManager.hasResource(there.source());
            if (!open) {
                return operation.run(call, (claim, own) -> IdempotentMethodInvoker.<T>proceed(invocation));
            }
            var connection = DataSourceUtils.getConnection(there.source());
            try {
                return operation.runInTransaction(
                        connection, call, (claim, joined) -> IdempotentMethodInvoker.<T>proceed(invocation));
            } finally {
                DataSourceUtils.releaseConnection(connection, there.source());
            }
        };
    }

    @Nullable
    Object run(MethodInvocation invocation) throws Exception {
        return way.run(keys.read(invocation), invocation);
    }

    /** Runs the method and rethrows its exception unchanged. */
    @SuppressWarnings({"NullAway", "unchecked", "TypeParameterUnusedInFormals"
    }) // May be null, and a retry is given null too; T is the method's own type.
    private static <T> T proceed(MethodInvocation invocation) throws Exception {
        try {
            return (T) invocation.proceed();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
