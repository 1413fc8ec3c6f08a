package dev.refrain.spring.mvc;

import dev.refrain.spring.internal.handler.HandlerGate;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Proves that advice around a handler, such as method security, rejected its call. On a controller that Spring has proxied, an
 * outermost advice sees the call fail and an innermost one has not seen it pass; a call that failed outside is never let in
 * later, on any thread. It creates no proxy itself; where a handler is not called through the proxy (private, final), nothing is
 * proven.
 */
final class HandlerAdviceGate implements BeanPostProcessor {

    private static final String GATE = HandlerAdviceGate.class.getName();

    private final MethodInterceptor outermost = HandlerAdviceGate::watch;
    private final MethodInterceptor innermost = HandlerAdviceGate::enter;

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof Advised advised
                && !advised.isFrozen()
                && advised.getTargetSource().isStatic()
                && AnnotatedElementUtils.hasAnnotation(AopUtils.getTargetClass(bean), Controller.class)) {
            advised.addAdvice(0, outermost);
            advised.addAdvice(innermost);
        }
        return bean;
    }

    private static @Nullable Object watch(MethodInvocation invocation) throws Throwable {
        var gate =
                currentRequest().flatMap(HandlerGateFilter::gateOf).filter(asked -> isHandlerCall(asked, invocation));
        if (gate.isEmpty() || !(invocation instanceof ProxyMethodInvocation proxied)) {
            return invocation.proceed();
        }
        proxied.setUserAttribute(GATE, gate.get());
        try {
            return invocation.proceed();
        } catch (Throwable failure) {
            gate.get().refuseArrived();
            throw failure;
        }
    }

    private static @Nullable Object enter(MethodInvocation invocation) throws Throwable {
        if (invocation instanceof ProxyMethodInvocation proxied
                && proxied.getUserAttribute(GATE) instanceof HandlerGate gate) {
            gate.begin();
        }
        return invocation.proceed();
    }

    /**
     * Returns true for the handler's own call; controllers also have model methods, and methods that a running handler calls.
     */
    private static boolean isHandlerCall(HandlerGate gate, MethodInvocation invocation) {
        var target = invocation.getThis();
        var called = invocation.getMethod();
        return gate.isBefore(BridgeMethodResolver.findBridgedMethod(called))
                || (target != null && gate.isBefore(AopUtils.getMostSpecificMethod(called, target.getClass())));
    }

    private static Optional<HttpServletRequest> currentRequest() {
        return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes current
                        && current.getRequest().getDispatcherType() == DispatcherType.REQUEST
                ? Optional.of(current.getRequest())
                : Optional.empty();
    }
}
