package dev.refrain.spring.mvc;

import java.util.function.Supplier;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;

/**
 * Adds an interceptor to every handler mapping, as the last one before the handler. Spring adds configured interceptors only to
 * its own mappings, and an application may define more.
 */
final class HandlerInterceptorRegistrar implements InstantiationAwareBeanPostProcessor {

    private final Supplier<HandlerInterceptor[]> interceptors;

    HandlerInterceptorRegistrar(Supplier<HandlerInterceptor[]> interceptors) {
        this.interceptors = interceptors;
    }

    @Override
    public boolean postProcessAfterInstantiation(Object bean, String name) {
        if (bean instanceof AbstractHandlerMapping mapping) {
            // Added to the mapping's existing interceptors.
            mapping.setInterceptors((Object[]) interceptors.get());
        }
        return true;
    }
}
