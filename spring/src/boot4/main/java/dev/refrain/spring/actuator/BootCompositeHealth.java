package dev.refrain.spring.actuator;

import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;

/** Named health indicators of this generation of Spring Boot. */
record BootCompositeHealth(CompositeHealthContributor named) implements CompositeHealthContributor {

    BootCompositeHealth(Map<String, BootHealthIndicator> named) {
        this(CompositeHealthContributor.fromMap(named));
    }

    @Override
    public @Nullable HealthContributor getContributor(String name) {
        return named.getContributor(name);
    }

    @Override
    public Stream<Entry> stream() {
        return named.stream();
    }
}
