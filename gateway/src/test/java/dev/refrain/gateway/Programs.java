package dev.refrain.gateway;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** Programs in other languages, beside the tests. */
final class Programs {

    private Programs() {}

    static String path(String name) {
        try {
            return Path.of(Programs.class.getResource(name).toURI()).toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(name, e);
        }
    }
}
