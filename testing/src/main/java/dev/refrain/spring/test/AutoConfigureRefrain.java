package dev.refrain.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * Protects the handlers of a test as the starter would, with the keys in memory and a {@link ManualStoreClock}, which a test injects to
 * let retentions and leases end. For slices such as {@code @WebMvcTest}, which configure nothing else of the application, and for
 * {@code @SpringBootTest} without a database.
 *
 * <p>A transactional handler runs without a transaction: its key is completed when it returns and free again when it throws. What commits
 * together is seen on a real database only.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
// The cache of outcomes goes by the time of the machine.
@TestPropertySource(properties = "refrain.cache.max-bytes=0")
public @interface AutoConfigureRefrain {}
