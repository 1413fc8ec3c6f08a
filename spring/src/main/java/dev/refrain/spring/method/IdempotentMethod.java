package dev.refrain.spring.method;

import dev.refrain.DelegatedCall;
import dev.refrain.LeasedOperation;
import dev.refrain.Operation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RequestFingerprinter;
import dev.refrain.ResultType;
import dev.refrain.TransactionalOperation;
import dev.refrain.http.InFlightPolicy;
import dev.refrain.http.OperationMode;
import dev.refrain.http.settings.SettingParser;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.handler.HandlerModeResolver;
import dev.refrain.spring.method.IdempotentMethodInterceptor.MethodTransactions;
import dev.refrain.spring.transaction.TransactionalAnnotations;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.sql.Connection;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** One method of a bean under protection. Its arguments are the request, its return value the outcome. Thread-safe. */
final class IdempotentMethod {

    private static final SpelExpressionParser EXPRESSIONS = new SpelExpressionParser();
    private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    /** How the method is run. */
    @FunctionalInterface
    private interface InvocationStrategy {
        @Nullable
        Object run(OperationCall call, MethodInvocation invocation) throws Exception;
    }

    private final String name;
    private final Method method;
    private final Expression key;
    private final Optional<Expression> scope;
    private final InvocationStrategy way;

    private IdempotentMethod(String name, Method method, Idempotent annotation, InvocationStrategy way) {
        this.name = name;
        this.method = method;
        this.key = EXPRESSIONS.parseExpression(annotation.key());
        this.scope = Optional.of(annotation.scope()).filter(s -> !s.isEmpty()).map(EXPRESSIONS::parseExpression);
        this.way = way;
    }

    static IdempotentMethod of(
            Class<?> bean,
            Method method,
            Refrain refrain,
            Optional<MethodTransactions> transactions,
            BeanFactory beans) {
        var annotation = AnnotatedElementUtils.findMergedAnnotation(method, Idempotent.class);
        if (annotation == null) {
            throw new IllegalArgumentException(method + " is not @Idempotent.");
        }
        String name = bean.getSimpleName() + "." + method.getName();
        if (NAMES.getParameterNames(method) == null && !annotation.key().matches(".*#[ap]\\d.*")) {
            throw new IllegalArgumentException(
                    name
                            + ": its parameters have no names at run time, so its key cannot be found; compile with -parameters, or name them #a0, #a1.");
        }
        boolean inTransaction = transactions.isPresent() && isTransactional(method, bean);
        var mode = HandlerModeResolver.threadBoundMode(name, annotation.mode(), inTransaction);
        if (mode instanceof OperationMode.Transactional) {
            TransactionalAnnotations.requireJoining(name, method, bean, beans);
        }
        var operation = operation(name, bean, method, annotation, refrain);
        return new IdempotentMethod(
                name,
                method,
                annotation,
                switch (mode) {
                    case OperationMode.Leased leased ->
                        TransactionalAnnotations.joins(method, bean)
                                ? leasedOutsideOfTransactions(name, operation.leased(leased.takeOver()))
                                : leased(operation.leased(leased.takeOver()));
                    case OperationMode.Flow flow -> flow(name, operation);
                    case OperationMode.Transactional transactional -> {
                        var there = transactions.orElseThrow(
                                () -> new IllegalArgumentException(
                                        name
                                                + " is to be transactional, but its keys are not in the database of a transaction manager."));
                        yield transactional(operation.transactional(there.transactions()), there);
                    }
                });
    }

    private static boolean isTransactional(Method method, Class<?> bean) {
        return TransactionalAnnotations.find(method, bean).isPresent();
    }

    private static Operation<?> operation(
            String name, Class<?> bean, Method method, Idempotent annotation, Refrain refrain) {
        if (returnsEarly(method.getReturnType())) {
            throw new IllegalArgumentException(
                    name + " is @Idempotent but returns before its work is done; make it return the value itself.");
        }
        Operation<?> operation = refrain.operation(
                annotation.operation().isEmpty() ? name : annotation.operation(),
                ResultType.of(boxed(GenericTypeResolver.resolveType(method.getGenericReturnType(), bean))));
        if (!annotation.retention().isEmpty()) {
            operation = operation.retention(
                    SettingParser.retention(name + ": @Idempotent.retention", annotation.retention()));
        }
        if (!annotation.profile().isEmpty()) {
            operation =
                    operation.outcomeRule(SettingParser.profile(name + ": @Idempotent.profile", annotation.profile())
                            .rule());
        }
        if (annotation.ignoring().length > 0) {
            operation = operation.fingerprinter(RequestFingerprinter.builder()
                    .exclude(annotation.ignoring())
                    .build());
        }
        if (!annotation.inFlight().isEmpty()
                && SettingParser.inFlight(name + ": @Idempotent.inFlight", annotation.inFlight())
                        instanceof InFlightPolicy.Wait wait) {
            operation = operation.waitForOutcome(wait.limit());
        }
        return operation;
    }

    /** Futures and publishers, of whatever library. */
    private static boolean returnsEarly(Class<?> type) {
        return Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || Flow.Publisher.class.isAssignableFrom(type)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
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
        return (call, invocation) -> operation.run(call, claim -> IdempotentMethod.<T>proceed(invocation));
    }

    /** In a transaction of its caller's its work would commit after its outcome is stored, or be rolled back behind it. */
    private static <T> InvocationStrategy leasedOutsideOfTransactions(String name, LeasedOperation<T> operation) {
        var way = leased(operation);
        return (call, invocation) -> {
            if (TransactionSynchronizationManager.isActualTransactionActive()) {
                throw new IllegalStateException(name
                        + " is @Idempotent, leased and @Transactional, but was called in an open transaction: its outcome would be"
                        + " stored although its work may yet be rolled back. Make it transactional (mode = TRANSACTIONAL), give it"
                        + " a transaction of its own (REQUIRES_NEW), or call it outside. Nothing ran.");
            }
            return way.run(call, invocation);
        };
    }

    /** The flow claims the key itself, and replays what it has answered. */
    private static InvocationStrategy flow(String name, Operation<?> operation) {
        return (call, invocation) -> {
            try (var offered = DelegatedCall.delegate(operation, call)) {
                Object value = proceed(invocation);
                if (offered.result().isEmpty()) {
                    throw new IllegalStateException(
                            name
                                    + " is @Idempotent with mode = FLOW but ran no flow: call Flows.attempt(flow, request) in it.");
                }
                return value;
            }
        };
    }

    /** In the transaction that is open on this thread already, if there is one; otherwise in one of its own. */
    private static <T> InvocationStrategy transactional(
            TransactionalOperation<T, Connection> operation, MethodTransactions there) {
        return (call, invocation) -> {
            boolean open = TransactionSynchronizationManager.isActualTransactionActive()
                    && TransactionSynchronizationManager.hasResource(there.source());
            if (!open) {
                return operation.run(call, (claim, own) -> IdempotentMethod.<T>proceed(invocation));
            }
            var connection = DataSourceUtils.getConnection(there.source());
            try {
                return operation.runInTransaction(
                        connection, call, (claim, joined) -> IdempotentMethod.<T>proceed(invocation));
            } finally {
                DataSourceUtils.releaseConnection(connection, there.source());
            }
        };
    }

    @Nullable
    Object run(MethodInvocation invocation) throws Exception {
        var context = new MethodBasedEvaluationContext(
                Optional.ofNullable(invocation.getThis()).orElse(this), method, invocation.getArguments(), NAMES);
        String asked = key.getValue(context, String.class);
        if (asked == null) {
            throw new IllegalArgumentException(name + ": its key, " + key.getExpressionString() + ", is null.");
        }
        String whose = scope.map(s -> Optional.ofNullable(s.getValue(context, String.class))
                        .orElseThrow(() -> new IllegalArgumentException(
                                name + ": its scope, " + s.getExpressionString() + ", is null.")))
                .orElse("");
        return way.run(
                OperationCall.scope(whose).key(asked).request(Arrays.asList(invocation.getArguments())), invocation);
    }

    /** What the method throws reaches its caller as it is. */
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
