package dev.refrain.cli;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** Options of the JVM that end the process at an out-of-memory error. The launcher sets one of them. */
final class OutOfMemoryOptions {

    private static final List<String> ENDING = List.of("ExitOnOutOfMemoryError", "CrashOnOutOfMemoryError");
    private static final String RUNNING_A_COMMAND = "OnOutOfMemoryError";

    private OutOfMemoryOptions() {}

    /** Returns true if an out-of-memory error ends this process, or if that cannot be found out. */
    static boolean endProcess() {
        var vm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        try {
            return vm == null
                    || ENDING.stream()
                            .anyMatch(
                                    option -> vm.getVMOption(option).getValue().equals("true"))
                    || !vm.getVMOption(RUNNING_A_COMMAND).getValue().isEmpty();
        } catch (IllegalArgumentException otherVirtualMachine) {
            return true;
        }
    }
}
