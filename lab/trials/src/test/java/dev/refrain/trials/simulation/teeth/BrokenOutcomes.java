package dev.refrain.trials.simulation.teeth;

import dev.refrain.key.Identity;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.OutcomeFormat;
import dev.refrain.outcome.Payload;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What is replayed: broken in several ways. */
final class BrokenOutcomes {

    private BrokenOutcomes() {}

    /** The last byte of a body is lost. */
    static Store bytesAreLost(Store store) {
        return rereading(
                store, r -> r.withPayloads(r.outcome().map(BrokenOutcomes::shorter), r.request(), r.carried()));
    }

    /** The store says a record lives an hour longer than it does, and the cache believes it. */
    static Store lifeIsTooLong(Store store) {
        return new Tampered(store) {
            @Override
            ClaimAnswer claim(ClaimRequest request) {
                var answer = super.claim(request);
                return answer instanceof ClaimAnswer.Found found
                        ? new ClaimAnswer.Found(Forged.life(
                                found.record(), found.record().remainingLife().map(life -> life.plus(Duration.ofHours(1)))))
                        : answer;
            }
        };
    }

    /** The answer goes to the client, and was never stored. */
    static Store completionIsLost(Store store) {
        return new Tampered(store) {
            @Override
            WriteAnswer write(Write write) {
                return write instanceof Write.Complete ? new WriteAnswer.Written() : super.write(write);
            }
        };
    }

    /** What the work says of how long its outcome is kept goes unheard. */
    static Store keptAsUsual(Store store) {
        return new Tampered(store) {
            @Override
            WriteAnswer write(Write write) {
                return super.write(
                        write instanceof Write.Complete complete
                                ? new Write.Complete(complete.claim(), complete.outcome(), Optional.empty())
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
        return new Tampered(store) {
            @Override
            ClaimAnswer claim(ClaimRequest request) {
                var answer = super.claim(request);
                return answer instanceof ClaimAnswer.Found found
                        ? new ClaimAnswer.Found(forgery.apply(found.record()))
                        : answer;
            }

            @Override
            Optional<StoredRecord> find(Identity identity) {
                return super.find(identity).map(forgery);
            }
        };
    }
}
