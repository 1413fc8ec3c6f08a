package dev.refrain.spring.method;

import dev.refrain.DelegatedCall;
import dev.refrain.LeasedOperation;
import dev.refrain.Operation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.ResultType;
import dev.refrain.http.InFlightPolicy;
import dev.refrain.http.OperationMode;
import dev.refrain.http.internal.settings.SettingParser;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.RefrainStartException;
import dev.refrain.spring.RefrainStores;
import dev.refrain.spring.internal.handler.AsyncTypes;
import dev.refrain.spring.internal.handler.HandlerModeResolver;
import dev.refrain.spring.internal.transaction.CommonTransactionCheck;
import dev.refrain.spring.internal.transaction.TransactionalAnnotations;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** Protection of one bean method. Its arguments are the request, its return value the outcome. Thread-safe. */
final class IdempotentMethodInvoker {

    /** Way to run the method in one of the modes. */
    @FunctionalInterface
    interface InvocationStrategy {
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
        requireNoHttpSettings(name, annotation);
        requireSynchronous(name, bean, method);
        var store = stores.require(annotation.store(), name);
        ComparableArguments.require(name, bean, method, store.refrain().codec());
        boolean withTransactions = isTransactionPossible();
        Optional<MethodTransactions> transactions =
                withTransactions ? MethodTransactions.find(store, beans) : Optional.empty();
        boolean inTransaction = transactions.isPresent() && isTransactional(method, bean);
        HandlerModeResolver.requireManager(
                name, annotation.mode(), store, isTransactional(method, bean), transactions.isPresent());
        var mode = HandlerModeResolver.threadBoundMode(name, annotation.mode(), store, inTransaction);
        if (withTransactions && mode instanceof OperationMode.Transactional) {
            CommonTransactionCheck.require(name, method, bean, store, beans);
        }
        if (!(mode instanceof OperationMode.Flow)) {
            ReplayableResult.require(name, resultType(bean, method), store.refrain());
        }
        var operation = operation(name, bean, method, annotation, store.refrain());
        stores.requireOneStore(operation.namespace(), store, name);
        return new IdempotentMethodInvoker(
                MethodKeyReader.of(name, method, bean, annotation, beans),
                annotation.store(),
                mode instanceof OperationMode.Transactional,
                switch (mode) {
                    case OperationMode.Leased leased -> {
                        var leasing = operation.leased(leased.takeOver());
                        yield isPresent(OpenTransactionGuard.NEEDED)
                                ? OpenTransactionGuard.around(leased(leasing), name, method, bean)
                                : leased(leasing);
                    }
                    case OperationMode.Flow flow -> flow(name, operation);
                    case OperationMode.Transactional transactional ->
                        transactions
                                .orElseThrow(() -> new RefrainStartException(
                                        name + " is transactional, but no transaction manager manages the database of "
                                                + store.inWords() + ".",
                                        withTransactions
                                                ? "Make it leased, or configure one."
                                                : "Make it leased, or add spring-boot-starter-jdbc."))
                                .transactional(name, method, bean, operation, beans);
                });
    }

    private static void requireNoHttpSettings(String name, Idempotent annotation) {
        if (annotation.keepRequest() != Idempotent.KeepRequest.AS_CONFIGURED
                || annotation.redactedFields().length > 0) {
            throw new RefrainStartException(
                    name
                            + ": keepRequest and redactedFields go with HTTP handlers only: a bean method has no request as it was received.",
                    "Remove them.");
        }
        if (annotation.keyRequirement() != Idempotent.Requirement.AS_CONFIGURED) {
            throw new RefrainStartException(
                    name + ": keyRequirement goes with HTTP handlers only: a bean method is refused without a key.",
                    "Remove it.");
        }
    }

    /** Returns true if the class path has what {@link MethodTransactions} is linked with. */
    private static boolean isTransactionPossible() {
        return isPresent("org.springframework.jdbc.datasource.DataSourceUtils")
                && isPresent("org.springframework.transaction.PlatformTransactionManager");
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, IdempotentMethodInvoker.class.getClassLoader());
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
                ResultType.of(resultType(bean, method)));
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
        if (!annotation.inFlight().isEmpty()) {
            operation = inFlight(
                    operation, name, SettingParser.inFlight(name + ": @Idempotent.inFlight", annotation.inFlight()));
        }
        return annotation.requireCorrectStore() ? operation.requireCorrectStore() : operation;
    }

    private static Operation<?> inFlight(Operation<?> operation, String name, InFlightPolicy policy) {
        return switch (policy) {
            case InFlightPolicy.Reject reject -> operation;
            case InFlightPolicy.Wait wait -> operation.waitWhileInFlight(wait.limit());
            case InFlightPolicy.Async async ->
                throw new RefrainStartException(
                        name
                                + ": @Idempotent.inFlight is async, which goes with HTTP handlers only: a bean method has no status URL.",
                        "Set it to reject or wait.");
        };
    }

    private static Type resultType(Class<?> bean, Method method) {
        return boxed(GenericTypeResolver.resolveType(method.getGenericReturnType(), bean));
    }

    private static Type boxed(Type type) {
        if (type == void.class) {
            return Void.class;
        }
        return type instanceof Class<?> plain ? ClassUtils.resolvePrimitiveIfNecessary(plain) : type;
    }

    static <T> InvocationStrategy leased(LeasedOperation<T> operation) {
        return (call, invocation) -> operation.run(call, claim -> IdempotentMethodInvoker.<T>proceed(invocation));
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

    @Nullable
    Object run(MethodInvocation invocation) throws Exception {
        return way.run(keys.read(invocation), invocation);
    }

    /** Runs the method and rethrows its exception unchanged. */
    @SuppressWarnings({"NullAway", "unchecked", "TypeParameterUnusedInFormals"
    }) // May be null, and a retry is given null too; T is the method's own type.
    static <T> T proceed(MethodInvocation invocation) throws Exception {
        try {
            return (T) invocation.proceed();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
