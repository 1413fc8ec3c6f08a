package dev.refrain.spring.mvc;

import java.util.function.Supplier;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;

/**
 * Puts what has to stand before the handlers on every mapping to them: Spring hands a configured interceptor to its own mappings only,
 * and an application may have more. It comes last, so right before the handler.
 */
final class HandlerInterceptorRegistrar implements InstantiationAwareBeanPostProcessor {

    private final Supplier<HandlerInterceptor[]> interceptors;

    HandlerInterceptorRegistrar(Supplier<HandlerInterceptor[]> interceptors) {
        this.interceptors = interceptors;
    }

    @Override
    public boolean postProcessAfterInstantiation(Object bean, String name) {
        if (bean instanceof AbstractHandlerMapping mapping) {
            // They are added to those that it has.
            mapping.setInterceptors((Object[]) interceptors.get());
        }
        return true;
    }
}
