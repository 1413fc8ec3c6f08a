package dev.refrain.spring;

import dev.refrain.spring.internal.boot.BootNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;

/** Requires the starter that was made for the application's Spring Boot, and no other beside it: both have the same classes. */
final class StarterGenerationCheck {

    private static final String STARTER = "dev/refrain/spring/RefrainAutoConfiguration.class";

    private StarterGenerationCheck() {}

    /** @throws RefrainStartException if there is another starter, with the one to use */
    static void require(String bootVersion, ClassLoader classes) {
        String use =
                "Use " + (bootVersion.startsWith("3.") ? "refrain-spring-boot3-starter" : "refrain-spring-boot-starter")
                        + " alone.";
        if (!bootVersion.startsWith(BootNames.GENERATION + ".")) {
            throw new RefrainStartException(
                    "Refrain's starter on the class path is for Spring Boot " + BootNames.GENERATION
                            + ", but this is Spring Boot " + bootVersion + ".",
                    use);
        }
        if (count(classes) > 1) {
            throw new RefrainStartException(
                    "Two of Refrain's starters are on the class path, and their classes have the same names.", use);
        }
    }

    private static int count(ClassLoader classes) {
        try {
            return Collections.list(classes.getResources(STARTER)).size();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot look for " + STARTER + " on the class path.", e);
        }
    }
}
