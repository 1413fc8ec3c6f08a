package dev.refrain.spring.internal.boot;

/** Names of Spring Boot 3 that other generations call otherwise. */
public final class BootNames {

    /** Major version of Spring Boot that this starter is for. */
    public static final int GENERATION = 3;

    public static final String DATA_SOURCE = "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration";
    public static final String DATA_SOURCE_TRANSACTIONS =
            "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration";
    public static final String TRANSACTIONS =
            "org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration";
    public static final String JACKSON = "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration";
    public static final String FLYWAY = "org.springframework.boot.autoconfigure.flyway.FlywayAutoConfiguration";
    public static final String LIQUIBASE =
            "org.springframework.boot.autoconfigure.liquibase.LiquibaseAutoConfiguration";
    public static final String WEB_MVC = "org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration";
    public static final String WEB_FLUX =
            "org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration";
    public static final String METER_REGISTRY =
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration";
    public static final String OBSERVATION =
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration";
    public static final String HEALTH_INDICATOR = "org.springframework.boot.actuate.health.HealthIndicator";
    public static final String REST_CLIENT_CUSTOMIZER = "org.springframework.boot.web.client.RestClientCustomizer";
    public static final String WEB_CLIENT_CUSTOMIZER =
            "org.springframework.boot.web.reactive.function.client.WebClientCustomizer";

    public static final String REDIS = "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration";

    private BootNames() {}
}
