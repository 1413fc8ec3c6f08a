package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.http.servlet.RefrainFilter;
import dev.refrain.spring.mvc.RefrainWebMvcAutoConfiguration;
import dev.refrain.store.memory.MemoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;

/** An application that brings a bean of its own has that one. */
class ReplaceableBeansTest {

    /** As they are told to Spring Boot. */
    private static Stream<Class<?>> configurations() {
        try (var file = Objects.requireNonNull(RefrainAutoConfiguration.class.getResourceAsStream(
                "/META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports"))) {
            var names = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            return names.lines().filter(name -> !name.isBlank()).map(ReplaceableBeansTest::named);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Class<?> named(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static Stream<Method> beans(Class<?> configuration) {
        return Stream.concat(
                Arrays.stream(configuration.getDeclaredMethods()).filter(m -> m.isAnnotationPresent(Bean.class)),
                Arrays.stream(configuration.getDeclaredClasses()).flatMap(ReplaceableBeansTest::beans));
    }

    @Test
    void eachBeanGivesWay() {
        var beans = configurations().flatMap(ReplaceableBeansTest::beans).toList();
        assertThat(beans).hasSizeGreaterThan(10);
        assertThat(beans)
                .allSatisfy(bean -> assertThat(bean.getAnnotation(ConditionalOnMissingBean.class))
                        .as("%s", bean)
                        .isNotNull());
    }

    @Test
    void filtersPlaceIsTheApplications() {
        var own = new FilterRegistrationBean<RefrainFilter>();
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        RefrainAutoConfiguration.class, RefrainWebMvcAutoConfiguration.class, BootParts.WEB_MVC))
                .withBean(MemoryStore.class, MemoryStore::new)
                .withBean("refrainFilter", FilterRegistrationBean.class, () -> {
                    own.setFilter(RefrainFilter.builder(Refrain.using(new MemoryStore()))
                            .scope(request -> java.util.Optional.of("one"))
                            .build());
                    return own;
                })
                .withPropertyValues("refrain.scope=shared")
                .run(context -> assertThat(context.getBean("refrainFilter")).isSameAs(own));
    }
}
