package dev.refrain.spring;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration;
import org.springframework.boot.test.autoconfigure.web.reactive.WebFluxTest;

/** {@code @WebFluxTest} of this generation of Spring Boot. */
@Retention(RetentionPolicy.RUNTIME)
@WebFluxTest(excludeAutoConfiguration = SecurityAutoConfiguration.class)
@interface BootWebFluxTest {}
