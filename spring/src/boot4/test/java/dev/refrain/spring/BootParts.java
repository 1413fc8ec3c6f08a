package dev.refrain.spring;

import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.webclient.autoconfigure.WebClientAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;

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
