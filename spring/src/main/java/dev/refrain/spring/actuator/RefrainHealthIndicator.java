package dev.refrain.spring.actuator;

import dev.refrain.ClaimHealthCheck;
import dev.refrain.Refrain;

/** Reports down only when claims would fail. */
final class RefrainHealthIndicator extends BootHealthIndicator {

    private final ClaimHealthCheck probe;

    RefrainHealthIndicator(Refrain refrain) {
        probe = new ClaimHealthCheck(refrain);
    }

    @Override
    void check() {
        probe.checkClaims();
    }
}
