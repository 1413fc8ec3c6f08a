package dev.refrain.patience;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets every {@code await()} that names no time wait a minute instead of Awaitility's ten seconds, which pass on a busy machine without
 * anything being wrong. Compiled into the test classes of each module, and found there by JUnit (see the root {@code pom.xml}).
 */
public final class PatientAwaitility implements BeforeAllCallback {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Override
    public void beforeAll(ExtensionContext tests) {
        Awaitility.setDefaultTimeout(PATIENCE);
    }
}
