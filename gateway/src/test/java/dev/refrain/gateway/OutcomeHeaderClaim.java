package dev.refrain.gateway;

import dev.refrain.api.Claim;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.Retention;
import java.time.Duration;
import java.util.Optional;

/** Claim that steers by the response header, because behind a gateway a handler has no claim. */
final class OutcomeHeaderClaim implements Claim {

    private Optional<String> said = Optional.empty();

    Optional<String> said() {
        return said;
    }

    @Override
    public void doNotKeepAnswer() {
        said = Optional.of("do-not-keep");
    }

    @Override
    public void keepStateOnly(String reason) {
        said = Optional.of("state-only");
    }

    @Override
    public void declareNoEffect() {
        said = Optional.of("nothing-happened");
    }

    @Override
    public void retainFor(Retention retention) {
        throw new UnsupportedOperationException();
    }

    @Override
    public RecordId recordId() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long fence() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<RecoveryPoint> recoveryPoint() {
        return Optional.empty();
    }

    @Override
    public Optional<Payload> carriedState() {
        return Optional.empty();
    }

    @Override
    public String derivedKey(String step) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean mayHaveSent() {
        return false;
    }

    @Override
    public boolean isLost() {
        return false;
    }

    @Override
    public Optional<Duration> minRemainingLife() {
        return Optional.empty();
    }
}
