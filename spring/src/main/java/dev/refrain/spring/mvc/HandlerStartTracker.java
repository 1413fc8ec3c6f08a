package dev.refrain.spring.mvc;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Sees a handler begin where Spring has wrapped its controller, as method security does: innermost of what is around it, so that whoever
 * refuses a call has refused before its work if this was not reached. It wraps nothing by itself.
 *
 * <p>In doubt the work has begun: where the handler is not called through the wrapping (private, final), and when any work began in
 * the meantime on a thread that knows no request.
 */
final class HandlerStartTracker implements MethodInterceptor, BeanPostProcessor, HandlerInterceptor {

    private static final String BEGUN = HandlerStartTracker.class.getName() + ".begun";
    private static final String BLIND_BEFORE = HandlerStartTracker.class.getName() + ".blind";
    private static final List<Class<? extends Annotation>> BEFORE_HANDLERS =
            List.of(ModelAttribute.class, InitBinder.class);

    private final AtomicLong blind = new AtomicLong();

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof Advised advised
                && !advised.isFrozen()
                && advised.getTargetSource().isStatic()
                && AnnotatedElementUtils.hasAnnotation(AopUtils.getTargetClass(bean), Controller.class)) {
            // Added last, it is innermost.
            advised.addAdvice(this);
        }
        return bean;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        request.setAttribute(BLIND_BEFORE, blind.get());
        return true;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        if (!comesBeforeHandlers(invocation.getMethod())) {
            if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes current) {
                current.getRequest().setAttribute(BEGUN, true);
            } else {
                blind.incrementAndGet();
            }
        }
        return invocation.proceed();
    }

    /** Whether it is certain that the handler has not begun. */
    boolean hasNotBegun(HttpServletRequest request, @Nullable Object handler) {
        return handler instanceof HandlerMethod method
                && sees(method)
                && request.getAttribute(BEGUN) == null
                && Long.valueOf(blind.get()).equals(request.getAttribute(BLIND_BEFORE));
    }

    private boolean sees(HandlerMethod handler) {
        return handler.getBean() instanceof Advised advised
                && Stream.of(advised.getAdvisors())
                        .anyMatch(advisor -> advisor.getAdvice().equals(this))
                && isCalledThrough(handler.getBean().getClass(), handler.getMethod());
    }

    /** A wrapping is a subclass: what it cannot override runs without it. */
    private static boolean isCalledThrough(Class<?> wrapping, Method method) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isFinal(modifiers) || Modifier.isStatic(modifiers)) {
            return false;
        }
        return Modifier.isPublic(modifiers)
                || Modifier.isProtected(modifiers)
                || wrapping.getPackage().equals(method.getDeclaringClass().getPackage());
    }

    /** What Spring calls of a controller to make the arguments of its handlers. */
    private static boolean comesBeforeHandlers(AnnotatedElement method) {
        return !AnnotatedElementUtils.hasAnnotation(method, RequestMapping.class)
                && BEFORE_HANDLERS.stream()
                        .anyMatch(annotation -> AnnotatedElementUtils.hasAnnotation(method, annotation));
    }
}
