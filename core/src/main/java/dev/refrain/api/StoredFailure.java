package dev.refrain.api;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Exception stored as an outcome: its type and message, never its stack trace. */
public record StoredFailure(String type, String message) {

    /**
     * Header that marks a failure. No header sent over a wire can have a colon in its name, so no answer can pass for a failure.
     */
    private static final String HEADER = ":refrain-failure";

    private static final int STATUS = 500;

    public static Outcome.Answer toAnswer(Throwable failure) {
        return answer(failure.getClass().getName(), messageOf(failure));
    }

    /** Returns the message of an exception; empty if it has none, or if it fails to make one, which must not keep its outcome from being stored. */
    private static String messageOf(Throwable failure) {
        try {
            return Optional.ofNullable(failure.getMessage()).orElse("");
        } catch (RuntimeException noMessage) {
            return "";
        }
    }

    /** Returns the failure that an answer represents, if any. */
    public static Optional<StoredFailure> fromAnswer(Outcome.Answer answer) {
        return answer.header(HEADER)
                .map(type -> new StoredFailure(type, new String(answer.body().bytes(), StandardCharsets.UTF_8)));
    }

    /** Returns the failure without its message, for operations that store the state alone; empty for any other answer. */
    public static Optional<Outcome.Answer> withoutMessage(Outcome.Answer answer) {
        return fromAnswer(answer).map(failure -> answer(failure.type(), ""));
    }

    private static Outcome.Answer answer(String type, String message) {
        return new Outcome.Answer(
                STATUS, List.of(new AnswerHeader(HEADER, type)), Payload.of(message.getBytes(StandardCharsets.UTF_8)));
    }
}
