package dev.refrain.spring.actuator;

import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.health.CompositeHealthContributor;
import org.springframework.boot.actuate.health.HealthContributor;
import org.springframework.boot.actuate.health.NamedContributor;

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
    public Iterator<NamedContributor<HealthContributor>> iterator() {
        return named.iterator();
    }
}
