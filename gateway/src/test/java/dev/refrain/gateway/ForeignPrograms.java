package dev.refrain.gateway;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** Programs in other languages, beside the tests. */
final class ForeignPrograms {

    private ForeignPrograms() {}

    static String path(String name) {
        try {
            return Path.of(ForeignPrograms.class.getResource(name).toURI()).toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(name, e);
        }
    }
}
