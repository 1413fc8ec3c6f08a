package dev.refrain.spring.actuator;

import dev.refrain.ClaimHealthCheck;
import dev.refrain.Refrain;
import dev.refrain.api.RefrainException;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Down when claims would fail, and for no other reason. */
final class RefrainHealthIndicator implements HealthIndicator {

    private final ClaimHealthCheck probe;

    RefrainHealthIndicator(Refrain refrain) {
        probe = new ClaimHealthCheck(refrain);
    }

    @Override
    public Health health() {
        try {
            probe.checkClaims();
            return Health.up().build();
        } catch (RefrainException down) {
            return Health.down(down).build();
        }
    }
}
