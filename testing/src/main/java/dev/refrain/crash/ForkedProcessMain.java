package dev.refrain.crash;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Main class of a child JVM that is killed. */
final class ForkedProcessMain {

    static final String AT_THE_BOUNDARY = "refrain-crash: at the boundary";
    static final String ENDED = "refrain-crash: ended";

    private static final int OWN_ARGUMENTS = 3;
    private static final int BROKEN = 3;

    private ForkedProcessMain() {}

    /**
     * Runs the application.
     *
     * @param arguments the factory, the name and occurrence of the crash point, then the arguments of the trial
     */
    public static void main(String[] arguments) throws Exception {
        Thread.ofPlatform().daemon().start(ForkedProcessMain::endWithParent);
        var boundary = new CrashPoint(arguments[1], Integer.parseInt(arguments[2]));
        var own = List.of(Arrays.copyOfRange(arguments, OWN_ARGUMENTS, arguments.length));
        var life = CrashInjector.crashingAt(boundary, new FreezeOnCrash());
        var application = made(Class.forName(arguments[0]).asSubclass(ForkedApplicationFactory.class))
                .start(life, own);
        life.startRecording();
        try {
            application.request();
        } finally {
            // Also if it failed by itself: then its client retries, as it would after a crash.
            System.out.println(ENDED);
        }
    }

    static ForkedApplicationFactory made(Class<? extends ForkedApplicationFactory> type)
            throws ReflectiveOperationException {
        var constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    /** Stops every thread that reaches a crash point, until the SIGKILL. */
    private static final class FreezeOnCrash implements CrashInjector.CrashAction {

        @Override
        public void at(CrashInjector life) {
            System.out.println(AT_THE_BOUNDARY);
        }

        @Override
        public void refuse(String boundary) {
            while (true) {
                LockSupport.park();
            }
        }
    }

    /** Ends this process when its parent is gone, which never writes to it. */
    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {}
        } catch (IOException e) {
            // As good as the end.
        }
        Runtime.getRuntime().halt(BROKEN);
    }
}
