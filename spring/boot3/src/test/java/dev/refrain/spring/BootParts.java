package dev.refrain.spring;

import org.springframework.boot.actuate.health.CompositeHealthContributor;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration;
import org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration;
import org.springframework.boot.autoconfigure.web.client.RestClientAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.HttpHandlerAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.function.client.WebClientAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration;
import org.springframework.boot.web.embedded.jetty.JettyServletWebServerFactory;
import org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;

/** Parts of this generation of Spring Boot, for tests that run on each. */
public final class BootParts {

    public static final Class<?> JACKSON = JacksonAutoConfiguration.class;
    public static final Class<?> REST_CLIENT = RestClientAutoConfiguration.class;
    public static final Class<?> WEB_CLIENT = WebClientAutoConfiguration.class;
    public static final Class<?> TRANSACTIONS = TransactionAutoConfiguration.class;
    public static final Class<?> WEB_MVC = WebMvcAutoConfiguration.class;
    public static final Class<?> WEB_FLUX = WebFluxAutoConfiguration.class;
    public static final Class<?> HTTP_HANDLER = HttpHandlerAutoConfiguration.class;

    private BootParts() {}

    public static class Tomcat extends TomcatServletWebServerFactory {}

    public static class Jetty extends JettyServletWebServerFactory {}

    public static class Netty extends NettyReactiveWebServerFactory {}

    /** Returns the status of one of the indicators in a composite. */
    public static String statusOf(Object composite, String name) {
        var indicator = ((CompositeHealthContributor) composite).getContributor(name);
        return ((HealthIndicator) indicator).health().getStatus().getCode();
    }
}
