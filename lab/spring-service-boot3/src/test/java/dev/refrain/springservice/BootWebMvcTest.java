package dev.refrain.springservice;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;

/** {@code @WebMvcTest} of this generation of Spring Boot. */
@Retention(RetentionPolicy.RUNTIME)
@WebMvcTest
@interface BootWebMvcTest {}
