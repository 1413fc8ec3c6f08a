package dev.refrain.outcome;

import java.util.Objects;

/** One header of an answer, as it is to be sent again. */
public record Header(String name, String value) {

    public Header {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
    }
}
