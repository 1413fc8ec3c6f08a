package dev.refrain;

import dev.refrain.api.AttentionRequiredException;
import dev.refrain.api.Claim;
import dev.refrain.api.InProgressException;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeNotKeptException;
import dev.refrain.api.ReplayedFailureException;
import dev.refrain.api.RequestContent;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.api.StoredFailure;
import dev.refrain.api.UnreadableOutcomeException;
import dev.refrain.internal.run.RunSettings;
import java.lang.invoke.MethodType;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Converts between an operation's values and stored answers. */
record OutcomeMapper<T>(
        String operation, ValueCodec codec, Function<T, Outcome.Answer> encode, Function<Outcome.Answer, T> decode) {

    private static final int OK = 200;

    /** Status of a null result: stored like any other, and a retry gets null too. */
    private static final int NOTHING = 204;

    static <T> OutcomeMapper<T> typed(String operation, ResultType<T> type, ValueCodec codec) {
        if (type.type() instanceof Class<?> plain && plain.isPrimitive()) {
            throw new IllegalArgumentException(operation + ": a value of " + plain + " cannot be replayed; use "
                    + MethodType.methodType(plain).wrap().returnType().getSimpleName() + ".class.");
        }
        return new OutcomeMapper<>(
                operation, codec, value -> encoded(codec, value), answer -> decoded(operation, type, codec, answer));
    }

    private static Outcome.Answer encoded(ValueCodec codec, @Nullable Object value) {
        return value == null ? Outcome.Answer.of(NOTHING, new byte[0]) : Outcome.Answer.of(OK, codec.encode(value));
    }

    @SuppressWarnings("NullAway") // T admits null exactly if the work returned null.
    private static <T> T decoded(String operation, ResultType<T> type, ValueCodec codec, Outcome.Answer answer) {
        if (answer.status() == NOTHING) {
            return null;
        }
        try {
            return type.cast(codec.decode(answer.body().bytes(), type.type()));
        } catch (RuntimeException notReadable) {
            throw new UnreadableOutcomeException(
                    operation + " was completed under this key, but its stored result cannot be decoded as " + type
                            + ". Its codec must read what older versions wrote.",
                    notReadable);
        }
    }

    static OutcomeMapper<Outcome.Answer> raw(String operation, ValueCodec codec) {
        return new OutcomeMapper<>(operation, codec, Function.identity(), Function.identity());
    }

    /**
     * Returns the request to fingerprint: a {@link RequestContent} unchanged, text and bytes literally, anything else as JSON.
     */
    RequestContent request(Object request) {
        return switch (request) {
            case RequestContent ready -> ready;
            case byte[] bytes -> RequestContent.of(operation, bytes);
            case CharSequence text -> RequestContent.of(operation, text.toString());
            default -> RequestContent.json(operation, encoded(request));
        };
    }

    private byte[] encoded(Object request) {
        try {
            return codec.encodeRequest(request);
        } catch (RuntimeException notEncodable) {
            throw new IllegalArgumentException(
                    operation + ": its request, a " + request.getClass().getName()
                            + ", cannot be fingerprinted: the codec failed to serialize it or a part of it. Give"
                            + " it properties, or pass a String, byte[] or Map.",
                    notEncodable);
        }
    }

    /** Returns the value of a result, or throws the exception that stands for it. */
    T value(RunSettings settings, ProducedValue<T> produced, OperationResult result) {
        return switch (result) {
            case OperationResult.Ran ran -> produced.value();
            case OperationResult.Replayed replayed -> replayed(replayed);
            case OperationResult.InProgress running ->
                throw new InProgressException(settings.operation(), running.retryAfter());
            case OperationResult.Mismatch mismatch ->
                throw new RequestMismatchException(settings.operation(), mismatch.id());
            case OperationResult.Attention attention ->
                throw new AttentionRequiredException(settings.operation(), attention.claim());
        };
    }

    /** Returns the stored value, or throws the stored failure. */
    private T replayed(OperationResult.Replayed replayed) {
        return switch (replayed.outcome()) {
            case Outcome.StateOnly only -> throw new OutcomeNotKeptException(operation, replayed.id());
            case Outcome.Answer answer -> {
                var failure = StoredFailure.fromAnswer(answer);
                if (failure.isPresent()) {
                    throw new ReplayedFailureException(operation, replayed.id(), failure.get());
                }
                yield decode.apply(answer);
            }
        };
    }

    /** Value of a run that happened here, if one did. */
    static class ProducedValue<T> {
        private final OutcomeMapper<T> values;
        private @Nullable T value; // also null if the work returned null

        ProducedValue(OutcomeMapper<T> values) {
            this.values = values;
        }

        /** Encodes the value. If encoding fails, only the state is stored: the work is done and must not run again. */
        Outcome.Answer keep(Claim claim, T produced) {
            value = produced;
            try {
                return values.encode.apply(produced);
            } catch (RuntimeException | Error notEncodable) {
                // Without the message, which may reveal the value.
                claim.keepStateOnly("Its value could not be encoded: "
                        + notEncodable.getClass().getName());
                return Outcome.Answer.of(OK, new byte[0]);
            }
        }

        @SuppressWarnings("NullAway") // Called only after a run; null only if the work returned null.
        T value() {
            return value;
        }
    }
}
