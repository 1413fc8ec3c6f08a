package dev.refrain.trials.simulation.teeth;

import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Mutants of outcomes: what is replayed. */
final class BrokenOutcomes {

    private BrokenOutcomes() {}

    /** The last byte of a body is lost. */
    static Store bytesAreLost(Store store) {
        return rereading(
                store,
                r -> r.withPayloads(
                        r.outcome().map(BrokenOutcomes::shorter).orElse(null),
                        r.request().orElse(null),
                        r.carried().orElse(null)));
    }

    /** The store says a record lives an hour longer than it does, and the cache believes it. */
    static Store lifeIsTooLong(Store store) {
        return new MutantStore(store) {
            @Override
            ClaimResponse claim(ClaimRequest request) {
                var answer = super.claim(request);
                return answer instanceof ClaimResponse.Found found
                        ? new ClaimResponse.Found(ForgedRecords.life(
                                found.record(),
                                found.record().remainingLife().map(life -> life.plus(Duration.ofHours(1)))))
                        : answer;
            }
        };
    }

    /** The answer goes to the client, and was never stored. */
    static Store completionIsLost(Store store) {
        return new MutantStore(store) {
            @Override
            RecordWriteResponse write(RecordWrite write) {
                return write instanceof RecordWrite.Complete ? new RecordWriteResponse.Written() : super.write(write);
            }
        };
    }

    /** Retention that the work extends is ignored. */
    static Store keptAsUsual(Store store) {
        return new MutantStore(store) {
            @Override
            RecordWriteResponse write(RecordWrite write) {
                return super.write(
                        write instanceof RecordWrite.Complete complete
                                ? new RecordWrite.Complete(complete.claim(), complete.outcome(), Optional.empty())
                                : write);
            }
        };
    }

    private static Payload shorter(Payload stored) {
        var answer = OutcomeFormat.decode(stored);
        byte[] body = answer.body().bytes();
        return OutcomeFormat.encode(new Outcome.Answer(
                answer.status(), answer.headers(), Payload.of(Arrays.copyOf(body, Math.max(0, body.length - 1)))));
    }

    private static Store rereading(Store store, UnaryOperator<StoredRecord> forgery) {
        return new MutantStore(store) {
            @Override
            ClaimResponse claim(ClaimRequest request) {
                var answer = super.claim(request);
                return answer instanceof ClaimResponse.Found found
                        ? new ClaimResponse.Found(forgery.apply(found.record()))
                        : answer;
            }

            @Override
            Optional<StoredRecord> find(ScopedKey identity) {
                return super.find(identity).map(forgery);
            }
        };
    }
}
