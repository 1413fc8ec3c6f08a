package dev.refrain.crash;

import java.util.List;

/** Trial whose application is killed with its JVM, and gets its arguments on a command line. */
public interface ForkedProcessTrial extends CrashTrial {

    List<String> arguments();
}
