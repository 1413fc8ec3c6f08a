package dev.refrain.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/** The modules of this build, and the arrows between them: what each may use. Later modules are added here. */
enum BuildModule {
    CORE("core", "refrain-core"),
    STORE_CONTRACT("stores/contract", "refrain-store-contract", CORE),
    STORE_ENCRYPTION("stores/encryption", "refrain-store-encryption", CORE),
    STORE_JDBC("stores/jdbc", "refrain-store-jdbc", CORE),
    SERVERS("lab/servers", "refrain-servers"),
    METRICS("metrics", "refrain-metrics", CORE),
    FLOW("flow", "refrain-flow", CORE),
    TESTING("testing", "refrain-testing", CORE, FLOW),
    HTTP("http", "refrain-http", CORE),
    HTTP_CASES("lab/http-cases", "refrain-http-cases", CORE, HTTP),
    HTTP_SERVLET("http/servlet", "refrain-http-servlet", CORE, HTTP),
    CONSOLE("console", "refrain-console", CORE, FLOW, HTTP),
    SPRING("spring", "refrain-spring-boot-starter", CORE, STORE_JDBC, FLOW, METRICS, HTTP, HTTP_SERVLET, CONSOLE),
    GATEWAY("gateway", "refrain-gateway", CORE, STORE_JDBC, METRICS, HTTP, CONSOLE),
    HTTP_CLIENT("http/client", "refrain-http-client"),
    EXAMPLE_SERVLET(
            "examples/payments-servlet", "refrain-example-payments-servlet", CORE, STORE_JDBC, HTTP, HTTP_SERVLET),
    DEMO("examples/demo", "refrain-demo", CORE, STORE_JDBC, FLOW, HTTP, HTTP_SERVLET, CONSOLE),
    EXAMPLE_SPRING("examples/payments-spring", "refrain-example-payments-spring", CORE, SPRING),
    VERIFY("verify", "refrain-verify"),
    TRIALS("lab/trials", "refrain-trials", CORE, STORE_JDBC, FLOW, SERVERS),
    SPEC("lab/spec", "refrain-spec"),
    BENCHMARKS("lab/benchmarks", "refrain-benchmarks", CORE, STORE_JDBC, FLOW, GATEWAY, SERVERS, SPRING),
    CLI("cli", "refrain-cli", CORE, STORE_JDBC, HTTP, CONSOLE, GATEWAY, BENCHMARKS, EXAMPLE_SERVLET, DEMO, VERIFY);

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

    /** Known by where the class file lies: in the module's own classes, or in its jar, wherever that is. */
    static Optional<BuildModule> of(JavaClass type) {
        return type.getSource()
                .map(source -> source.getUri().toString())
                .flatMap(uri -> Arrays.stream(values())
                        .filter(module -> uri.contains("/" + module.folder + "/target/classes/")
                                || uri.matches(".*/" + module.artifact + "-\\d[^/]*\\.jar!/.*"))
                        .findFirst());
    }
}
