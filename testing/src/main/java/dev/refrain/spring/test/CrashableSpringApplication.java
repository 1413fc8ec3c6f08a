package dev.refrain.spring.test;

import dev.refrain.crash.CrashInjector;
import dev.refrain.crash.CrashableApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;

/**
 * Spring Boot application for a {@link dev.refrain.crash.CrashMatrix}: started as in production, killed at every crash point of one request,
 * and started again for the retry.
 *
 * {@snippet :
 * public CrashableApplication start(CrashInjector injector) {
 *     return CrashableSpringApplication.of(PaymentsApplication.class)
 *             .properties("spring.datasource.url=" + url)
 *             .bean(Bank.class, key -> injector.foreignCall("charge", () -> bank.charge(key)))
 *             .request(base -> HttpRequest.newBuilder(base.resolve("/payments"))
 *                     .header("Idempotency-Key", key)
 *                     .POST(HttpRequest.BodyPublishers.ofString("{\"amount\":12}"))
 *                     .build())
 *             .start(injector);
 * }
 * }
 *
 * <p>Every {@code DataSource} bean gets the crash points: a HikariCP pool as Spring Boot creates it has them below, another one is wrapped. The
 * start has none, so migrations run undisturbed. The {@link CrashInjector} is a bean, for effects that are not JDBC.
 *
 * <p>A killed instance loses its connections first. Then its context is closed, which can no longer write to the database, so that neither its
 * threads nor its port are left behind. The database has to be outside of the application: one in memory would be lost with it.
 */
public final class CrashableSpringApplication implements CrashableApplication {

    private static final Duration RETRY_DELAY = Duration.ofMillis(50);

    /** Settings without which an instance could not run beside a killed one, or a killed one would not end. */
    private static final Map<String, Object> SETTINGS = Map.of(
            "server.port", "0", "server.shutdown", "immediate", "spring.lifecycle.timeout-per-shutdown-phase", "1s");

    private static final String MANAGEMENT_PORT = "management.server.port";

    /** Held while an instance starts: all of a JVM share its logging, which two cannot set up at the same time. */
    private static final ReentrantLock STARTING = new ReentrantLock();

    /** Call of an application, such as of one of its beans. */
    @FunctionalInterface
    public interface ContextCall {

        /**
         * Makes the call.
         *
         * @throws Exception if it is not settled, for example because another instance still runs it: it is made again
         */
        void run(ConfigurableApplicationContext context) throws Exception;
    }

    /** Settings and request of an application. Not thread-safe. */
    public static final class Builder {

        private record TestBean<T>(Class<T> type, T instance) {}

        private final Class<?>[] sources;
        private final List<String> properties = new ArrayList<>();
        private final List<TestBean<?>> beans = new ArrayList<>();

        private Builder(Class<?>... sources) {
            this.sources = sources;
        }

        /** Adds properties of the form {@code name=value}, which take precedence over those of the application. */
        public Builder properties(String... more) {
            properties.addAll(List.of(more));
            return this;
        }

        /** Adds a bean that is injected instead of the application's own of this type, such as a client with crash points. */
        public <T> Builder bean(Class<T> type, T instance) {
            beans.add(new TestBean<>(type, instance));
            return this;
        }

        /**
         * Sets the HTTP request that is sent, with the same idempotency key each time. It is repeated until its response is final: not while
         * another one runs under the key, nor after a status of 5xx, 408, 425 or 429, unless that is replayed or a problem that is not retryable.
         *
         * @param request makes the request from the base URI of the instance, such as {@code http://127.0.0.1:54321/}
         */
        public StartableApplication request(Function<URI, HttpRequest> request) {
            return injector -> {
                var client = new RetryingClient(request);
                return start(injector, client, client::close);
            };
        }

        /** Sets the call that is made, with the same idempotency key each time, until it returns without an exception. */
        public StartableApplication call(ContextCall call) {
            return injector -> start(injector, (context, first) -> call.run(context), () -> {});
        }

        private CrashableSpringApplication start(CrashInjector injector, ClientAttempt attempt, Runnable ending) {
            var application = new SpringApplication(sources);
            application.setBannerMode(Banner.Mode.OFF);
            application.setLogStartupInfo(false);
            application.setRegisterShutdownHook(false);
            var crashPoints = new CrashPointPostProcessor(injector);
            application.addInitializers(context -> prepare(context, injector, crashPoints));
            var arguments = properties.stream().map(property -> "--" + property).toArray(String[]::new);
            STARTING.lock();
            try {
                return new CrashableSpringApplication(application.run(arguments), crashPoints, attempt, ending);
            } catch (RuntimeException | Error failure) {
                ending.run();
                throw failure;
            } finally {
                STARTING.unlock();
            }
        }

        private void prepare(
                ConfigurableApplicationContext context, CrashInjector injector, CrashPointPostProcessor crashPoints) {
            var environment = context.getEnvironment();
            var sourcesOfProperties = environment.getPropertySources();
            sourcesOfProperties.addFirst(new MapPropertySource("crashableSettings", SETTINGS));
            if (environment.getProperty(MANAGEMENT_PORT, Integer.class, 0) > 0) {
                sourcesOfProperties.addFirst(new MapPropertySource("crashablePort", Map.of(MANAGEMENT_PORT, "0")));
            }
            var factory = context.getBeanFactory();
            factory.addBeanPostProcessor(crashPoints);
            factory.registerSingleton("crashInjector", injector);
            beans.forEach(bean -> register((BeanDefinitionRegistry) factory, bean));
        }

        private static <T> void register(BeanDefinitionRegistry registry, TestBean<T> bean) {
            var definition = new RootBeanDefinition(bean.type(), bean::instance);
            definition.setPrimary(true);
            // It outlives the instance.
            definition.setDestroyMethodName("");
            registry.registerBeanDefinition("crashable." + bean.type().getName(), definition);
        }
    }

    /** Application with its request, of which instances can be started. */
    @FunctionalInterface
    public interface StartableApplication {

        /** Starts an instance whose effects go through the injector. */
        CrashableSpringApplication start(CrashInjector injector);
    }

    /** One attempt of the client, which throws if it has to retry. */
    @FunctionalInterface
    private interface ClientAttempt {
        void run(ConfigurableApplicationContext context, boolean first) throws Exception;
    }

    /** Response with which the application refused the first request for good: the test is wrong. */
    private static final class RefusedRequestException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        RefusedRequestException(String response) {
            super("The request was refused, without any crash: " + response + ". Correct the request.");
        }
    }

    /** HTTP client that tells final responses from those that ask for a retry. */
    private static final class RetryingClient implements ClientAttempt {

        private final HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        private final Function<URI, HttpRequest> request;

        RetryingClient(Function<URI, HttpRequest> request) {
            this.request = request;
        }

        @Override
        public void run(ConfigurableApplicationContext context, boolean first) throws Exception {
            var base = URI.create("http://127.0.0.1:"
                    + context.getEnvironment().getRequiredProperty("local.server.port", Integer.class) + "/");
            var response = http.send(request.apply(base), HttpResponse.BodyHandlers.ofString());
            String text = response.statusCode() + " " + response.body();
            if (!isFinal(response)) {
                throw new IOException("the response was " + text);
            }
            if (first && response.statusCode() >= 400) {
                throw new RefusedRequestException(text);
            }
        }

        private static boolean isFinal(HttpResponse<String> response) {
            if (response.headers().firstValue("Idempotent-Replayed").isPresent()
                    || response.body().contains("\"retryable\":false")) {
                return true;
            }
            int status = response.statusCode();
            boolean later = response.headers().firstValue("Retry-After").isPresent()
                    || response.body().contains("\"retryable\":true");
            return !later && status < 500 && status != 408 && status != 425 && status != 429;
        }

        void close() {
            http.shutdownNow();
        }
    }

    private final ConfigurableApplicationContext context;
    private final CrashPointPostProcessor crashPoints;
    private final ClientAttempt attempt;
    private final Runnable ending;

    private CrashableSpringApplication(
            ConfigurableApplicationContext context,
            CrashPointPostProcessor crashPoints,
            ClientAttempt attempt,
            Runnable ending) {
        this.crashPoints = crashPoints;
        this.context = context;
        this.attempt = attempt;
        this.ending = ending;
    }

    /** Returns a builder for the application with this {@code @SpringBootApplication} class, and perhaps configurations of the test. */
    public static Builder of(Class<?> application, Class<?>... more) {
        return new Builder(
                Stream.concat(Stream.of(application), Stream.of(more)).toArray(Class<?>[]::new));
    }

    @Override
    public void request() throws Exception {
        untilSettled(true);
    }

    /** Retries on this instance until the response is final; it may also be that the outcome is unknown. */
    @Override
    public void recover() throws Exception {
        untilSettled(false);
    }

    /** Retries as a client would, unless the instance was killed. Interrupted, it throws why it had to retry. */
    private void untilSettled(boolean first) throws Exception {
        Optional<Exception> unsettled = Optional.empty();
        try {
            while (true) {
                try {
                    attempt.run(context, first);
                    return;
                } catch (InterruptedException | RefusedRequestException e) {
                    throw e;
                } catch (Exception e) {
                    unsettled = Optional.of(e);
                }
                if (!context.isActive()) {
                    throw unsettled.get();
                }
                Thread.sleep(RETRY_DELAY);
            }
        } catch (InterruptedException late) {
            throw unsettled.orElse(late);
        }
    }

    /** Closes the context of a killed instance, whose connections are gone, and ends its pending request. */
    @Override
    public void kill() throws Exception {
        crashPoints.closePools();
        close();
    }

    @Override
    public void close() {
        ending.run();
        context.close();
    }
}
