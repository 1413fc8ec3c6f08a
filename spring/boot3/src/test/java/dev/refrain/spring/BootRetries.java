package dev.refrain.spring;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.retry.annotation.Retryable;

/** Retries of methods, by what this generation of Spring Boot has for them. */
public final class BootRetries {

    private BootRetries() {}

    /** A method that is called up to four times. */
    @Retention(RetentionPolicy.RUNTIME)
    @Retryable(maxAttempts = 4, backoff = @Backoff(delay = 1))
    public @interface Retried {}

    @Retention(RetentionPolicy.RUNTIME)
    @EnableRetry
    public @interface Enabled {}
}
