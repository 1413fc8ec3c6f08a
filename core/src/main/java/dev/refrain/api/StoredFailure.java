package dev.refrain.api;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** An exception kept as an outcome: its type and message, never its stack trace. */
public record StoredFailure(String type, String message) {

    /** No header that comes over a wire can have a colon in its name, so no answer can pass for a failure. */
    private static final String HEADER = ":refrain-failure";

    private static final int STATUS = 500;

    public static Outcome.Answer toAnswer(Throwable failure) {
        String message = Optional.ofNullable(failure.getMessage()).orElse("");
        return answer(failure.getClass().getName(), message);
    }

    /** The failure that an outcome stands for, if it stands for one. */
    public static Optional<StoredFailure> fromAnswer(Outcome.Answer answer) {
        return answer.header(HEADER)
                .map(type -> new StoredFailure(type, new String(answer.body().bytes(), StandardCharsets.UTF_8)));
    }

    /** What is kept of a failure where only the state is: that it was one. Empty for any other answer. */
    public static Optional<Outcome.Answer> withoutMessage(Outcome.Answer answer) {
        return fromAnswer(answer).map(failure -> answer(failure.type(), ""));
    }

    private static Outcome.Answer answer(String type, String message) {
        return new Outcome.Answer(
                STATUS, List.of(new OutcomeHeader(HEADER, type)), Payload.of(message.getBytes(StandardCharsets.UTF_8)));
    }
}
