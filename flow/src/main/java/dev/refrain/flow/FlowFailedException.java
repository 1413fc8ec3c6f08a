package dev.refrain.flow;

import dev.refrain.ValueCodec;
import dev.refrain.api.Outcome;
import dev.refrain.api.RefrainException;
import java.nio.charset.StandardCharsets;

/**
 * Says that a flow ended with a failure as its outcome, such as a declined card ({@link PhaseResult#fail}). Every retry under the same key
 * is given the same failure; a new attempt needs a new key.
 */
public final class FlowFailedException extends RefrainException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient Outcome.Answer answer;
    private final transient ValueCodec codec;

    FlowFailedException(String flow, Outcome.Answer answer, ValueCodec codec) {
        super("Flow " + flow + " failed with status " + answer.status()
                + ". The failure is its outcome; use a new key for a new attempt.");
        this.status = answer.status();
        this.answer = answer;
        this.codec = codec;
    }

    /** Returns the HTTP status of the failure, 400 or above. */
    public int status() {
        return status;
    }

    /** Returns the body of the failure, decoded by the codec. */
    public <T> T body(Class<T> type) {
        return type.cast(codec.decode(answer.body().bytes(), type));
    }

    /** Returns the body of the failure as UTF-8 text. */
    public String bodyText() {
        return new String(answer.body().bytes(), StandardCharsets.UTF_8);
    }
}
