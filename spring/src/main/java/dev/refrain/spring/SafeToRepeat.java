package dev.refrain.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a retried method that is not {@link Idempotent} as harmless to repeat, so that no warning is logged. */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface SafeToRepeat {

    /** Reason why repeating the method is harmless. */
    String value() default "";
}
