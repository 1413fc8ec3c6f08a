package dev.refrain.spring;

import dev.refrain.Refrain;
import dev.refrain.RefrainException;
import dev.refrain.recover.Probe;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Down when claims would fail, and for no other reason. */
final class RefrainHealth implements HealthIndicator {

    private final Probe probe;

    RefrainHealth(Refrain refrain) {
        probe = new Probe(refrain);
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
