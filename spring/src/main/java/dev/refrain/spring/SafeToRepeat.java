package dev.refrain.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Says of a method that is retried and not {@link Idempotent} that doing it twice does no harm: no warning is logged. */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface SafeToRepeat {

    /** Why. */
    String value() default "";
}
