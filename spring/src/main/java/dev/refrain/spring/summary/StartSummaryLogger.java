package dev.refrain.spring.summary;

import dev.refrain.http.Route;
import dev.refrain.spring.ProtectedBeanMethods;
import dev.refrain.spring.RefrainProperties;
import dev.refrain.spring.RefrainStores;
import dev.refrain.spring.StoreConnectionPool;
import dev.refrain.spring.internal.handler.ProtectedHandlerRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.util.ClassUtils;

/** Logs one line when the application has started: store, scope, routes with their modes, methods, workers and connections. */
final class StartSummaryLogger implements ApplicationListener<ContextRefreshedEvent> {

    private static final System.Logger LOG = System.getLogger(StartSummaryLogger.class.getName());
    private static final String SCOPE_RESOLVER = "refrainScopeResolver";

    /** Without Spring's transactions, nothing is transactional. */
    private static final boolean TRANSACTIONS = ClassUtils.isPresent(
                    "org.springframework.transaction.PlatformTransactionManager",
                    StartSummaryLogger.class.getClassLoader())
            && ClassUtils.isPresent(
                    "org.springframework.jdbc.datasource.DataSourceUtils", StartSummaryLogger.class.getClassLoader());

    private final ApplicationContext application;

    StartSummaryLogger(ApplicationContext application) {
        this.application = application;
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        if (event.getApplicationContext().equals(application)) {
            LOG.log(System.Logger.Level.INFO, summary());
            EnvironmentVariableCheck.warnings(System.getenv().keySet())
                    .forEach(warning -> LOG.log(System.Logger.Level.WARNING, warning));
            if (TRANSACTIONS) {
                new ConnectionWaitCheck(application)
                        .warnings()
                        .forEach(warning -> LOG.log(System.Logger.Level.WARNING, warning));
            }
        }
    }

    private String summary() {
        var parts = new ArrayList<String>();
        parts.add("Refrain: " + stores());
        parts.add("scope " + scope());
        parts.add("routes " + orNone(routes()));
        parts.add("methods " + orNone(methods()));
        parts.add("workers " + String.join(", ", workers()));
        var connections = application.getBeanProvider(StoreConnectionPool.class).getIfAvailable();
        var sentences = new ArrayList<>(List.of(String.join("; ", parts)));
        if (connections != null) {
            sentences.add(connections.budget());
        }
        var stores = application.getBean(RefrainStores.class);
        stores.named()
                .forEach(store -> stores.connectionsOf(store)
                        .ifPresent(budget -> sentences.add("For " + store.inWords() + ": " + budget)));
        return String.join(". ", sentences) + ".";
    }

    /** Returns the default store and those with names. */
    private String stores() {
        return application.getBean(RefrainStores.class).all().stream()
                .map(store -> "store " + (store.isDefault() ? "" : store.name() + " (")
                        + store.refrain().admin().storeName() + (store.isDefault() ? "" : ")")
                        + (store.isEncrypted() ? ", encrypted" : ""))
                .collect(Collectors.joining(", "));
    }

    private String scope() {
        var own = Arrays.stream(application.getBeanDefinitionNames())
                .filter(name -> !name.equals(SCOPE_RESOLVER))
                .filter(name -> {
                    var type = application.getType(name, false);
                    return type != null && type.getSimpleName().endsWith("ScopeResolver");
                })
                .findFirst();
        String setting = application.getBean(RefrainProperties.class).scope();
        return own.map(name -> "by the bean " + name)
                .orElse(
                        setting.isEmpty()
                                ? application.containsBean(SCOPE_RESOLVER) ? "principal" : "by method"
                                : setting);
    }

    private List<String> routes() {
        return application.getBeanProvider(ProtectedHandlerRegistry.class).stream()
                .flatMap(handlers ->
                        handlers.contract().routes().stream().map(route -> described(route, handlers.storeOf(route))))
                .sorted()
                .toList();
    }

    private static String described(Route route, String store) {
        return route.name() + " (" + route.policy().run().mode() + (store.isEmpty() ? "" : ", store " + store) + ")";
    }

    private List<String> methods() {
        return application.getBeanProvider(DefaultPointcutAdvisor.class).stream()
                .filter(advisor -> advisor.getAdvice() instanceof ProtectedBeanMethods)
                .flatMap(advisor -> ((ProtectedBeanMethods) advisor.getAdvice()).protectedMethods().stream())
                .toList();
    }

    private List<String> workers() {
        var workers = new ArrayList<>(List.of("sweeper", "reaper"));
        if (application.containsBean("refrainCompleter")) {
            workers.add("completer");
        }
        if (application.containsBean("refrainRelay")) {
            workers.add("relay");
        }
        if (application.containsBean("refrainOverdueSagas")) {
            workers.add("overdue sagas");
        }
        return workers;
    }

    private static String orNone(List<String> names) {
        return names.isEmpty() ? "none" : String.join(", ", names);
    }
}
