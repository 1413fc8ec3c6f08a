package dev.refrain.examples.spring;

/** The process that started this one, if it said so. */
public final class Starter {

    static final String PROPERTY = "refrain.example.starter";

    private Starter() {}

    /** Ends this process when the one that started it is gone, in whatever way. */
    public static void endWithIt() {
        String starter = System.getProperty(PROPERTY, "");
        if (!starter.isEmpty()) {
            var process = ProcessHandle.of(Long.parseLong(starter))
                    .orElseThrow(() -> new IllegalStateException("Process " + starter + " is gone."));
            Thread.ofPlatform().daemon().name("starter").start(() -> {
                process.onExit().join();
                System.exit(0);
            });
        }
    }
}
