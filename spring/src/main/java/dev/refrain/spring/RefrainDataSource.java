package dev.refrain.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the {@code DataSource} bean in whose database the keys are stored, where an application has several. The property {@code
 * refrain.store.data-source} takes precedence.
 * {@snippet :
 *
 * @Bean
 * @RefrainDataSource
 * DataSource payments() { … }
 * }
 */
@Documented
@Qualifier
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.FIELD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
public @interface RefrainDataSource {}
