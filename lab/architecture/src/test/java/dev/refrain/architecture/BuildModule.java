package dev.refrain.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/** The modules of this build in the order of the root POM, each with the modules it may use. */
enum BuildModule {
    CORE("core", "refrain-core"),
    STORE_CONTRACT("stores/contract", "refrain-store-contract", CORE),
    STORE_ENCRYPTION("stores/encryption", "refrain-store-encryption", CORE),
    SERVERS("lab/servers", "refrain-servers"),
    STORE_JDBC("stores/jdbc", "refrain-store-jdbc", CORE),
    STORE_REDIS("stores/redis", "refrain-store-redis", CORE),
    STORE_DYNAMODB("stores/dynamodb", "refrain-store-dynamodb", CORE),
    METRICS("metrics", "refrain-metrics", CORE),
    FLOW("flow", "refrain-flow", CORE),
    OUTBOX("outbox", "refrain-outbox", CORE),
    SAGA("saga", "refrain-saga", CORE, FLOW, OUTBOX),
    HTTP("http", "refrain-http", CORE),
    TESTING("testing", "refrain-testing", CORE, FLOW, HTTP),
    HTTP_CASES("lab/http-cases", "refrain-http-cases", CORE, HTTP),
    HTTP_CLIENT("http/client", "refrain-http-client"),
    HTTP_SERVLET("http/servlet", "refrain-http-servlet", CORE, HTTP),
    CONSOLE("console", "refrain-console", CORE, FLOW, SAGA, HTTP),
    SPRING(
            "spring",
            "refrain-spring-boot-starter",
            CORE,
            STORE_JDBC,
            STORE_REDIS,
            STORE_ENCRYPTION,
            FLOW,
            OUTBOX,
            SAGA,
            METRICS,
            HTTP,
            HTTP_SERVLET,
            CONSOLE),
    /** The sources of {@link #SPRING} with the few classes that differ. */
    SPRING_BOOT3("spring/boot3", "refrain-spring-boot3-starter", SPRING.mayUse.toArray(BuildModule[]::new)),
    GATEWAY("gateway", "refrain-gateway", CORE, STORE_JDBC, METRICS, HTTP, CONSOLE),
    EXAMPLE_SERVLET(
            "examples/payments-servlet", "refrain-example-payments-servlet", CORE, STORE_JDBC, HTTP, HTTP_SERVLET),
    DEMO("examples/demo", "refrain-demo", CORE, STORE_JDBC, FLOW, HTTP, HTTP_SERVLET, CONSOLE),
    VERIFY("verify", "refrain-verify"),
    EXAMPLE_SPRING("examples/payments-spring", "refrain-example-payments-spring", CORE, SPRING),
    CLI(
            "cli",
            "refrain-cli",
            CORE,
            STORE_JDBC,
            STORE_ENCRYPTION,
            HTTP,
            CONSOLE,
            GATEWAY,
            EXAMPLE_SERVLET,
            DEMO,
            VERIFY),
    SPRING_SERVICE("lab/spring-service", "refrain-spring-service", SPRING),
    SPRING_SERVICE_BOOT3("lab/spring-service-boot3", "refrain-spring-service-boot3", SPRING_BOOT3),
    TRIALS("lab/trials", "refrain-trials", CORE, STORE_JDBC, FLOW, OUTBOX, SAGA, SERVERS),
    SPEC("lab/spec", "refrain-spec"),
    BENCHMARKS("lab/benchmarks", "refrain-benchmarks", CORE, STORE_JDBC, FLOW, OUTBOX, GATEWAY, SERVERS, SPRING, CLI);

    private final String folder;
    private final String artifact;
    private final Set<BuildModule> mayUse;

    BuildModule(String folder, String artifact, BuildModule... mayUse) {
        this.folder = folder;
        this.artifact = artifact;
        this.mayUse = Set.of(mayUse);
    }

    boolean mayUse(BuildModule other) {
        return this == other || mayUse.contains(other);
    }

    String folder() {
        return folder;
    }

    String artifact() {
        return artifact;
    }

    /** Returns whether this module is part of the laboratory, which is never published. */
    boolean isLaboratory() {
        return folder.startsWith("lab/");
    }

    /** Returns whether this module is part of releases; the command line comes as an archive. */
    boolean isReleased() {
        return !isLaboratory() && !folder.startsWith("examples/") && this != CLI;
    }

    /** Finds the module of a class by its class file: in the module's own classes, or in its jar. */
    static Optional<BuildModule> of(JavaClass type) {
        return type.getSource()
                .map(source -> source.getUri().toString())
                .flatMap(uri -> Arrays.stream(values())
                        .filter(module -> uri.contains("/" + module.folder + "/target/classes/")
                                || uri.matches(".*/" + module.artifact + "-\\d[^/]*\\.jar!/.*"))
                        .findFirst());
    }
}
