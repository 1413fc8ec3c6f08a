package dev.refrain.spring.internal.boot;

/** Names of Spring Boot 4 that other generations call otherwise. */
public final class BootNames {

    /** Major version of Spring Boot that this starter is for. */
    public static final int GENERATION = 4;

    public static final String DATA_SOURCE = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";
    public static final String DATA_SOURCE_TRANSACTIONS =
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration";
    public static final String TRANSACTIONS = "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration";
    public static final String JACKSON = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration";
    public static final String FLYWAY = "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration";
    public static final String LIQUIBASE = "org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration";
    public static final String WEB_MVC = "org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration";
    public static final String WEB_FLUX = "org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration";
    public static final String METER_REGISTRY =
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration";
    public static final String OBSERVATION =
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration";
    public static final String HEALTH_INDICATOR = "org.springframework.boot.health.contributor.HealthIndicator";
    public static final String REST_CLIENT_CUSTOMIZER = "org.springframework.boot.restclient.RestClientCustomizer";
    public static final String WEB_CLIENT_CUSTOMIZER = "org.springframework.boot.webclient.WebClientCustomizer";

    public static final String REDIS = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration";

    private BootNames() {}
}
