package dev.refrain;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Name of this process as people know it: host name and process id. */
final class ProcessName {

    /** Holds the name once: looking up the host name may need a name server. */
    private static final class Holder {
        private static final String NAME =
                host() + "/" + ProcessHandle.current().pid();
    }

    private ProcessName() {}

    static String current() {
        return Holder.NAME;
    }

    private static String host() {
        String named = System.getenv("HOSTNAME");
        if (named != null && !named.isBlank()) {
            return named;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "localhost";
        }
    }
}
