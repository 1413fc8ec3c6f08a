package dev.refrain.crash;

import java.util.List;

/** An application for {@link ForkedProcessTrial}s: a class with a constructor without arguments, found by its name in another JVM. */
public interface ForkedApplicationFactory {

    /** @param arguments what the trial says; the same for the instance that is killed and for the one after it */
    CrashableApplication start(CrashInjector life, List<String> arguments) throws Exception;
}
