package dev.refrain.crash;

import java.util.List;

/** Makes the application of a {@link ForkedProcessTrial}. Needs a constructor without arguments; another JVM finds it by its name. */
public interface ForkedApplicationFactory {

    /**
     * Starts an instance.
     *
     * @param arguments the arguments of the trial, the same for the killed instance and the next one
     */
    CrashableApplication start(CrashInjector life, List<String> arguments) throws Exception;
}
