package dev.refrain.api;

import java.util.Objects;

/** One header of a stored answer, replayed as it is. */
public record AnswerHeader(String name, String value) {

    public AnswerHeader {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
    }
}
