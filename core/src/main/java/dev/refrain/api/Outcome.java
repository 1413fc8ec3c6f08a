package dev.refrain.api;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Stored result of a completed operation, replayed to every retry. */
public sealed interface Outcome {

    /**
     * The complete answer, replayed byte for byte.
     *
     * @param status an HTTP status; typed values use 200, or 204 for null, and stored failures 500
     */
    record Answer(int status, List<AnswerHeader> headers, Payload body) implements Outcome {

        private static final int FIRST_REFUSAL = 400;
        private static final int FIRST_FAILURE = 500;

        public Answer {
            headers = List.copyOf(headers);
            Objects.requireNonNull(body, "body must not be null; use an empty Payload if there is none");
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

        /**
         * Returns this answer if a client can be given it as the end of its request.
         *
         * @throws IllegalArgumentException if the status is below 200 or above 599
         */
        public Answer requireFinal() {
            if (status < 200 || status > 599) {
                throw new IllegalArgumentException(
                        "The status of a final answer is 200 to 599, but is " + status + ".");
            }
            return this;
        }

        /** Returns true if the status is a success. */
        public boolean isSuccess() {
            return status < FIRST_REFUSAL;
        }

        /** Returns true if the status says that the work failed, as opposed to rejecting the request. */
        public boolean isFailure() {
            return status >= FIRST_FAILURE;
        }

        /** Returns the first header of that name, which is case-insensitive. */
        public Optional<String> header(String name) {
            for (var header : headers) {
                if (header.name().equalsIgnoreCase(name)) {
                    return Optional.of(header.value());
                }
            }
            return Optional.empty();
        }
    }

    /** Only the fact that the operation is done: it stores the state alone, or its answer was too large or erased. */
    record StateOnly() implements Outcome {}
}
