package dev.refrain.spring.actuator;

import dev.refrain.api.RefrainException;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Health indicator of this generation of Spring Boot. */
abstract class BootHealthIndicator implements HealthIndicator {

    /** Throws if it is down. */
    abstract void check();

    @Override
    public final Health health() {
        try {
            check();
            return Health.up().build();
        } catch (RefrainException down) {
            return Health.down(down).build();
        }
    }
}
