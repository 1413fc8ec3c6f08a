package dev.refrain.crash;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The main class of a child that is to be killed. */
final class Fork {

    static final String AT_THE_BOUNDARY = "refrain-crash: at the boundary";
    static final String ENDED = "refrain-crash: ended";

    private static final int OWN_ARGUMENTS = 3;
    private static final int BROKEN = 3;

    private Fork() {}

    /** @param arguments the program, the boundary and the how manieth of its name, then the program's own */
    public static void main(String[] arguments) throws Exception {
        Thread.ofPlatform().daemon().start(Fork::endWithParent);
        var boundary = new Boundary(arguments[1], Integer.parseInt(arguments[2]));
        var own = List.of(Arrays.copyOfRange(arguments, OWN_ARGUMENTS, arguments.length));
        var life = Life.crashingAt(boundary, new Frozen());
        var application =
                made(Class.forName(arguments[0]).asSubclass(Program.class)).start(life, own);
        life.startRecording();
        try {
            application.request();
        } finally {
            // Also if it failed by itself: then its client retries, as it would after a crash.
            System.out.println(ENDED);
        }
    }

    static Program made(Class<? extends Program> type) throws ReflectiveOperationException {
        var constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    /** Whoever comes to a boundary now stays there until the SIGKILL. */
    private static final class Frozen implements Life.Death {

        @Override
        public void at(Life life) {
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
