package dev.refrain.run;

import dev.refrain.outcome.Header;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.Payload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** An exception kept as an outcome: its type and message, never its stack trace. */
public record Failure(String type, String message) {

    private static final String HEADER = "Refrain-Failure";
    private static final int STATUS = 500;

    static Outcome.Answer asAnswer(Throwable failure) {
        String message = Optional.ofNullable(failure.getMessage()).orElse("");
        return new Outcome.Answer(
                STATUS,
                List.of(new Header(HEADER, failure.getClass().getName())),
                Payload.of(message.getBytes(StandardCharsets.UTF_8)));
    }

    /** The failure that an outcome stands for, if it stands for one. */
    public static Optional<Failure> in(Outcome.Answer answer) {
        return answer.header(HEADER)
                .map(type -> new Failure(type, new String(answer.body().bytes(), StandardCharsets.UTF_8)));
    }
}
