package dev.refrain.api;

import java.util.Objects;

/** One header of an answer, as it is to be sent again. */
public record OutcomeHeader(String name, String value) {

    public OutcomeHeader {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
    }
}
