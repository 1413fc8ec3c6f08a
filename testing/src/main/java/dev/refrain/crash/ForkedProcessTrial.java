package dev.refrain.crash;

import java.util.List;

/** A trial whose application is killed with its JVM. What it has to know travels on a command line. */
public interface ForkedProcessTrial extends CrashTrial {

    List<String> arguments();
}
