package dev.refrain.spring;

import dev.refrain.Call;
import dev.refrain.Leased;
import dev.refrain.Refrain;
import dev.refrain.RefrainException;
import dev.refrain.claim.Claim;
import dev.refrain.outcome.Outcome;
import dev.refrain.store.TakeOver;
import java.time.Duration;
import java.util.UUID;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Down when claims would fail, and for no other reason: it claims a key of its own and gives it back. Each instance has one record
 * for that, which is used again and expires an hour after the last time.
 */
final class RefrainHealth implements HealthIndicator {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Leased<Outcome.Answer> probe;
    private final Call call = Call.of(":health", UUID.randomUUID().toString(), "probe");

    RefrainHealth(Refrain refrain) {
        probe = refrain.operation("refrain.health")
                .retention(Duration.ofHours(1))
                .patience(PATIENCE)
                .leased(TakeOver.RESUME);
    }

    @Override
    public Health health() {
        try {
            probe.attempt(call, RefrainHealth::giveBack);
            return Health.up().build();
        } catch (RefrainException down) {
            return Health.down(down).build();
        }
    }

    private static Outcome.Answer giveBack(Claim claim) {
        claim.doNotKeep();
        return Outcome.Answer.of(204, new byte[0]);
    }
}
