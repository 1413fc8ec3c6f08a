package dev.refrain.crash;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The main class of a child that is to be killed. */
final class ForkedProcessMain {

    static final String AT_THE_BOUNDARY = "refrain-crash: at the boundary";
    static final String ENDED = "refrain-crash: ended";

    private static final int OWN_ARGUMENTS = 3;
    private static final int BROKEN = 3;

    private ForkedProcessMain() {}

    /** @param arguments the program, the boundary and the how manieth of its name, then the program's own */
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

    /** Whoever comes to a boundary now stays there until the SIGKILL. */
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

    /** The parent never writes here; when it is gone, there is nobody left to kill this process. */
    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {}
        } catch (IOException e) {
            // As good as the end.
        }
        Runtime.getRuntime().halt(BROKEN);
    }
}
