package dev.refrain.api;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What is stored when an operation is done, and replayed to every retry. */
public sealed interface Outcome {

    /**
     * The whole answer, replayed byte for byte.
     *
     * @param status an HTTP status; typed values use 200, or 204 for null, and kept failures 500
     */
    record Answer(int status, List<OutcomeHeader> headers, Payload body) implements Outcome {

        public Answer {
            headers = List.copyOf(headers);
            Objects.requireNonNull(body, "body: use an empty Payload if there is none");
            if (!isStatus(status)) {
                throw new IllegalArgumentException("An outcome's status has three digits, but is " + status + ".");
            }
        }

        public static Answer of(int status, byte[] body) {
            return new Answer(status, List.of(), Payload.of(body));
        }

        public static boolean isStatus(int status) {
            return status >= 100 && status <= 999;
        }

        /** The first header of that name, in any case. */
        public Optional<String> header(String name) {
            for (var header : headers) {
                if (header.name().equalsIgnoreCase(name)) {
                    return Optional.of(header.value());
                }
            }
            return Optional.empty();
        }
    }

    /** Done, and nothing else is known: the operation keeps the state alone, or its contents were too large or erased. */
    record StateOnly() implements Outcome {}
}
