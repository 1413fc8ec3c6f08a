package dev.refrain.spring.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Parameter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

class ActuatorOptionalParametersTest {

    /** These tests have JSR 305 on the class path, with which Spring Boot 3.5 takes every parameter for optional; applications rarely do. */
    @Test
    @SuppressWarnings("deprecation")
    void optionalParametersAreMarkedForSpringBoot3Too() {
        var optional = Arrays.stream(RefrainActuatorEndpoint.class.getMethods())
                .filter(method -> method.isAnnotationPresent(ReadOperation.class)
                        || method.isAnnotationPresent(WriteOperation.class))
                .flatMap(method -> Arrays.stream(method.getParameters()))
                .filter(ActuatorOptionalParametersTest::isNullable)
                .toList();

        assertThat(optional)
                .hasSize(12)
                .allMatch(parameter -> parameter.isAnnotationPresent(org.springframework.lang.Nullable.class));
    }

    private static boolean isNullable(Parameter parameter) {
        return parameter.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }
}
