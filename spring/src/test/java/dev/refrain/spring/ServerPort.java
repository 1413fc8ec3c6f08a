package dev.refrain.spring;

import org.springframework.context.ApplicationContext;

/** The port that an application listens on. */
public final class ServerPort {

    private ServerPort() {}

    public static int of(ApplicationContext context) {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }
}
