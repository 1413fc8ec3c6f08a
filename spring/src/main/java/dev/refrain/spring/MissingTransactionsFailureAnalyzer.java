package dev.refrain.spring;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;

/**
 * Reports why there is no {@code FlowRunner} or {@code Outbox} to inject where the default store is one without transactions, such as
 * Redis. Spring Boot's own report would advise to define such a bean, which nothing could run.
 */
final class MissingTransactionsFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException>
        implements Ordered {

    private static final String ADVICE =
            "Keep the default store in a database: configure a DataSource, and leave refrain.store.url out. Give this store a name for the"
                    + " operations that may use it: refrain.stores.<name>.url and @Idempotent(store = \"<name>\").";

    private static final Set<String> TYPES = Set.of(
            "dev.refrain.flow.FlowRunner",
            "dev.refrain.outbox.Outbox",
            "dev.refrain.store.outbox.OutboxStore",
            "dev.refrain.spring.transaction.TransactionalOutbox");

    private final BeanFactory beans;

    MissingTransactionsFailureAnalyzer(BeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Creates the refusal of parts that commit in transactions of the default store.
     *
     * @param parts as the beginning of a sentence
     * @param store the default store, in words
     */
    static RefrainStartException refusal(String parts, String store) {
        return new RefrainStartException(describe(parts, store), ADVICE);
    }

    private static String describe(String parts, String store) {
        return parts + ": cannot run on the default store (" + store
                + "), which has no transactions. Flows, sagas and messages commit together with the application's writes.";
    }

    /** Before Spring Boot's own analyzer of this exception. */
    @Override
    public int getOrder() {
        return -1;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException missing) {
        var type = missing.getResolvableType() == null
                ? null
                : missing.getResolvableType().resolve();
        return type != null && TYPES.contains(type.getName()) && beans.containsBean(StoreUrlConfiguration.STORE)
                ? new FailureAnalysis(
                        describe(
                                "The " + type.getSimpleName() + " that the application asks for",
                                "opened by " + "refrain.store.url or spring.data.redis"),
                        ADVICE,
                        missing)
                : null;
    }
}
