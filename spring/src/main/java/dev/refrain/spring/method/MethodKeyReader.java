package dev.refrain.spring.method;

import dev.refrain.OperationCall;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.RefrainStartException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.expression.BeanResolver;

/** Reads scope, key and request of the calls of one method, by the expressions of its annotation. Thread-safe. */
final class MethodKeyReader {

    private final Method method;
    private final MethodExpression key;
    private final Optional<MethodExpression> scope;
    private final BeanResolver beans;

    private MethodKeyReader(Method method, MethodExpression key, Optional<MethodExpression> scope, BeanResolver beans) {
        this.method = method;
        this.key = key;
        this.scope = scope;
        this.beans = beans;
    }

    /**
     * @param name the method, as it is named in messages
     * @throws RefrainStartException if an expression would fail at each call
     */
    static MethodKeyReader of(String name, Method method, Class<?> bean, Idempotent annotation, BeanFactory beans) {
        return new MethodKeyReader(
                method,
                MethodExpression.of(name + ": its key", annotation.key(), method, bean, beans),
                Optional.of(annotation.scope())
                        .filter(text -> !text.isEmpty())
                        .map(text -> MethodExpression.of(name + ": its scope", text, method, bean, beans)),
                new BeanFactoryResolver(beans));
    }

    OperationCall read(MethodInvocation invocation) {
        var context = new MethodBasedEvaluationContext(
                Optional.ofNullable(invocation.getThis()).orElse(this),
                method,
                invocation.getArguments(),
                MethodExpression.NAMES);
        context.setBeanResolver(beans);
        String asked = key.value(context);
        String whose = scope.map(expression -> expression.value(context)).orElse("");
        return OperationCall.scope(whose).key(asked).request(Arrays.asList(invocation.getArguments()));
    }
}
