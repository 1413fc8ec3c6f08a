package dev.refrain.spring.mvc;

import dev.refrain.api.Claim;
import dev.refrain.http.servlet.RefrainFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.TypeMismatchException;
import org.springframework.core.Ordered;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.ServletRequestBindingException;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.support.InvocableHandlerMethod;
import org.springframework.web.multipart.support.MissingServletRequestPartException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Sees what Spring refuses before a handler begins: a body that cannot be read, is not valid, or lacks something. Such a refusal
 * does not consume the key. Nor does one of method security around a handler that has not begun. It answers nothing itself. An answer that is not acceptable (406) is no such refusal: where it is known
 * before the handler runs nothing was claimed, and otherwise it ran.
 */
final class EarlyRefusalDetector implements HandlerExceptionResolver, Ordered {

    private static final List<Class<? extends Exception>> REFUSALS = List.of(
            MethodArgumentNotValidException.class,
            HttpMessageNotReadableException.class,
            HttpMediaTypeNotSupportedException.class,
            ServletRequestBindingException.class,
            MissingServletRequestPartException.class,
            TypeMismatchException.class);

    /** Spring's own, around every handler: what it does to find the arguments, and what it does to run. */
    private static final String HANDLER = InvocableHandlerMethod.class.getName();

    private static final Set<String> FINDS_ARGUMENTS = Set.of("getMethodArgumentValues", "invokeForRequest");
    private static final String RUNS = "doInvoke";

    /** By name: Spring Security may not be there. */
    private static final Set<String> DENIALS = Set.of(
            "org.springframework.security.access.AccessDeniedException",
            "org.springframework.security.core.AuthenticationException");

    private final HandlerStartTracker begun;

    EarlyRefusalDetector(HandlerStartTracker begun) {
        this.begun = begun;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        boolean before = isDenial(failure.getClass())
                ? begun.hasNotBegun(request, handler)
                : isRefusal(failure) && isOfArguments(failure);
        if (before) {
            RefrainFilter.claim(request).ifPresent(EarlyRefusalDetector::releaseKey);
        }
        return null;
    }

    private static boolean isRefusal(Exception failure) {
        return REFUSALS.stream().anyMatch(type -> type.isInstance(failure))
                || (failure instanceof HandlerMethodValidationException invalid && !invalid.isForReturnValue());
    }

    /**
     * A handler may fail in the same words after its work: a row that does not fit its type, say. Where a failure was made is in it, and
     * one that was made elsewhere, on another thread for one, is no refusal.
     */
    private static boolean isOfArguments(Exception failure) {
        boolean found = false;
        for (var frame : failure.getStackTrace()) {
            if (frame.getClassName().equals(HANDLER)) {
                if (frame.getMethodName().equals(RUNS)) {
                    return false;
                }
                found |= FINDS_ARGUMENTS.contains(frame.getMethodName());
            }
        }
        return found;
    }

    private static boolean isDenial(@Nullable Class<?> type) {
        return type != null && (DENIALS.contains(type.getName()) || isDenial(type.getSuperclass()));
    }

    static void releaseKey(Claim claim) {
        claim.doNotKeepAnswer();
        claim.declareNoEffect();
    }
}
