package dev.refrain.spring.mvc;

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
 * Proves that what stands around a handler refused its call, as method security does. Where Spring has wrapped a controller, an outermost
 * advice sees the call fail, and an innermost one did not see it pass: what has failed outside is not let in any more, on whatever thread
 * it comes. It wraps nothing by itself; where the handler is not called through the wrapping (private, final), nothing is proven.
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
        var request = currentRequest();
        var gate = request.flatMap(HandlerGate::of).filter(asked -> isHandlerCall(asked, invocation));
        if (gate.isEmpty() || !(invocation instanceof ProxyMethodInvocation proxied)) {
            return invocation.proceed();
        }
        proxied.setUserAttribute(GATE, gate.get());
        try {
            return invocation.proceed();
        } catch (Throwable failure) {
            gate.get().refuseArrived(request.get());
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

    /** Other methods of controllers are called too: to make a model, or by a handler that has begun. */
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
