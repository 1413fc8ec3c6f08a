package dev.refrain.spring;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

/** Retries of methods, by what this generation of Spring Boot has for them. */
public final class BootRetries {

    private BootRetries() {}

    /** A method that is called up to four times. */
    @Retention(RetentionPolicy.RUNTIME)
    @Retryable(maxRetries = 3, delay = 1)
    public @interface Retried {}

    @Retention(RetentionPolicy.RUNTIME)
    @EnableResilientMethods
    public @interface Enabled {}
}
