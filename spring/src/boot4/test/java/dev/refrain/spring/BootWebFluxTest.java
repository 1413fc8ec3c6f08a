package dev.refrain.spring;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;

/** {@code @WebFluxTest} of this generation of Spring Boot. */
@Retention(RetentionPolicy.RUNTIME)
@WebFluxTest
@interface BootWebFluxTest {}
