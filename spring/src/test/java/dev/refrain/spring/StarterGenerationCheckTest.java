package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.spring.internal.boot.BootNames;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StarterGenerationCheckTest {

    private static final String OURS = BootNames.GENERATION + ".1.0";

    private final ClassLoader classes = getClass().getClassLoader();

    @Test
    void starterOfTheApplicationsGenerationIsAccepted() {
        assertThatCode(() -> StarterGenerationCheck.require(OURS, classes)).doesNotThrowAnyException();
    }

    @Test
    void starterOfAnotherGenerationIsRefusedWithTheOneToUse() {
        String other = BootNames.GENERATION == 4 ? "3.5.16" : "4.1.1";

        assertThatThrownBy(() -> StarterGenerationCheck.require(other, classes))
                .isInstanceOf(RefrainStartException.class)
                .hasMessageContaining(
                        "is for Spring Boot " + BootNames.GENERATION + ", but this is Spring Boot " + other);
    }

    @Test
    void twoStartersAreRefused() {
        var both = new ClassLoader(classes) {
            @Override
            public Enumeration<URL> getResources(String name) throws java.io.IOException {
                var one = Collections.list(super.getResources(name)).getFirst();
                return Collections.enumeration(List.of(one, one));
            }
        };

        assertThatThrownBy(() -> StarterGenerationCheck.require(OURS, both))
                .isInstanceOf(RefrainStartException.class)
                .hasMessageContaining("Two of Refrain's starters");
    }
}
