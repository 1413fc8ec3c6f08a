package dev.refrain.spring.actuator;

import dev.refrain.api.RefrainException;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

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
