package dev.refrain.flow;

import dev.refrain.ResultType;
import dev.refrain.ValueCodec;
import dev.refrain.api.AttentionRequiredException;
import dev.refrain.api.InProgressException;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeNotKeptException;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.api.UnreadableOutcomeException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Turns the way a run of a flow ended into the flow's result, or into the exception that its caller gets.
 *
 * @param <T> the result of the flow
 */
record FlowResultDecoder<T>(String flow, ResultType<T> type, ValueCodec codec) {

    private static final int FIRST_FAILURE = 400;

    @Nullable
    T decode(OperationResult result) {
        return switch (result) {
            case OperationResult.Ran ran -> decode(ran.answer());
            case OperationResult.Replayed replayed ->
                switch (replayed.outcome()) {
                    case Outcome.StateOnly only -> throw new OutcomeNotKeptException(flow, replayed.id());
                    case Outcome.Answer answer -> decode(answer);
                };
            case OperationResult.InProgress running -> throw new InProgressException(flow, running.retryAfter());
            case OperationResult.Mismatch mismatch -> throw new RequestMismatchException(flow, mismatch.id());
            case OperationResult.Attention attention -> throw new AttentionRequiredException(flow, attention.claim());
        };
    }

    private @Nullable T decode(Outcome.Answer answer) {
        if (answer.status() >= FIRST_FAILURE) {
            throw new FlowFailedException(flow, answer, codec);
        }
        byte[] body = answer.body().bytes();
        if (type.type() == byte[].class) {
            return type.cast(body);
        }
        boolean text =
                answer.header("Content-Type").filter(t -> t.startsWith("text/")).isPresent();
        if (type.type() == String.class || (text && takesText())) {
            return type.cast(new String(body, StandardCharsets.UTF_8));
        }
        if (body.length == 0) {
            return null;
        }
        try {
            return type.cast(codec.decode(body, type.type()));
        } catch (RuntimeException notReadable) {
            throw new UnreadableOutcomeException(
                    "Cannot read the stored result of flow " + flow + " as " + type
                            + ": the codec failed. The flow ended and will not run again; use a codec that reads what older"
                            + " versions wrote.",
                    notReadable);
        }
    }

    private boolean takesText() {
        return type.type() instanceof Class<?> plain && plain.isAssignableFrom(String.class);
    }
}
