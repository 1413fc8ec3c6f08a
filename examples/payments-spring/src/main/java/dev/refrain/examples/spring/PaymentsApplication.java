package dev.refrain.examples.spring;

import static java.util.Objects.requireNonNull;

import dev.refrain.examples.spring.process.ExampleParentWatchdog;
import java.net.URI;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;

/** Spring Boot application of the payments API. Prints its URL to standard output. */
@SpringBootApplication
@EnableConfigurationProperties(PaymentsApplication.Settings.class)
public class PaymentsApplication {

    /**
     * Settings of the application.
     *
     * @param bank the URL of the bank
     * @param apiKeys the account of each API key
     */
    @ConfigurationProperties("payments")
    record Settings(URI bank, Map<String, String> apiKeys) {}

    public static void main(String[] arguments) {
        ExampleParentWatchdog.exitWithParent();
        System.out.println("Payments API at " + start(arguments));
    }

    /** Starts the application and returns its URL. */
    static String start(String... arguments) {
        var context = (ServletWebServerApplicationContext) SpringApplication.run(PaymentsApplication.class, arguments);
        return "http://localhost:" + requireNonNull(context.getWebServer()).getPort();
    }
}
