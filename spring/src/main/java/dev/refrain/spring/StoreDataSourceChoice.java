package dev.refrain.spring;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.env.Environment;

/** Choice of the {@code DataSource} bean in whose database the keys are stored. */
sealed interface StoreDataSourceChoice {

    /** Property that names the bean. */
    String PROPERTY = "refrain.store.data-source";

    /** One bean is chosen, by the property, by {@link RefrainDataSource}, or because Spring would inject it. */
    record Chosen(String bean) implements StoreDataSourceChoice {}

    /** The property names a bean that does not exist. */
    record Misnamed(String bean) implements StoreDataSourceChoice {}

    /** There is no bean, or nothing says which. */
    record Undecided(List<String> candidates) implements StoreDataSourceChoice {

        String sentence() {
            return candidates.isEmpty()
                    ? "The application has no DataSource bean."
                    : "The application has " + candidates.size()
                            + " DataSource beans, and nothing says which of them stores the keys: "
                            + String.join(", ", candidates) + ".";
        }

        String advice() {
            return candidates.isEmpty()
                    ? "Configure one (spring.datasource.url), name another store (refrain.store.url), or define a Store bean."
                    : "Set " + PROPERTY + "=" + candidates.getFirst()
                            + " (or another of them), or mark one with @RefrainDataSource or @Primary.";
        }
    }

    private static List<String> all(ConfigurableListableBeanFactory beans) {
        return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false))
                .filter(name -> !name.startsWith("scopedTarget."))
                .sorted()
                .toList();
    }

    static StoreDataSourceChoice of(ConfigurableListableBeanFactory beans, Environment environment) {
        var all = all(beans);
        String named = environment.getProperty(PROPERTY, "");
        if (!named.isEmpty()) {
            return all.contains(named) ? new Chosen(named) : new Misnamed(named);
        }
        var marked = all.stream()
                .filter(name -> beans.findAnnotationOnBean(name, RefrainDataSource.class, false) != null)
                .toList();
        if (!marked.isEmpty()) {
            return marked.size() == 1 ? new Chosen(marked.getFirst()) : new Undecided(marked);
        }
        var injectable = which(all, beans, StoreDataSourceChoice::isInjectable);
        return Stream.of(
                        injectable,
                        which(injectable, beans, BeanDefinition::isPrimary),
                        which(injectable, beans, definition -> !definition.isFallback()))
                .filter(names -> names.size() == 1)
                .findFirst()
                .<StoreDataSourceChoice>map(names -> new Chosen(names.getFirst()))
                .orElseGet(() -> new Undecided(all));
    }

    /** Returns the name of the chosen bean, which may be misspelled. */
    static String require(ConfigurableListableBeanFactory beans, Environment environment) {
        return switch (of(beans, environment)) {
            case Chosen chosen -> chosen.bean();
            case Misnamed misnamed -> misnamed.bean();
            case Undecided undecided -> throw new RefrainStartException(undecided.sentence(), undecided.advice());
        };
    }

    /**
     * Returns the bean that a property names, and has it closed after the bean that needs it.
     *
     * @throws RefrainStartException if there is no such bean, with the names of those that there are
     */
    static DataSource require(ConfigurableListableBeanFactory beans, String property, String named, String neededBy) {
        var candidates = all(beans);
        if (!candidates.contains(named)) {
            throw new RefrainStartException(
                    property + " is '" + named + "', but there is no such DataSource bean. There "
                            + (candidates.isEmpty()
                                    ? "is none at all."
                                    : "are: " + String.join(", ", candidates) + "."),
                    "Set it to the name of one of them.");
        }
        beans.registerDependentBean(named, neededBy);
        return beans.getBean(named, DataSource.class);
    }

    private static List<String> which(
            List<String> names, ConfigurableListableBeanFactory beans, Predicate<BeanDefinition> property) {
        return names.stream()
                .filter(name ->
                        !beans.containsBeanDefinition(name) || property.test(beans.getMergedBeanDefinition(name)))
                .toList();
    }

    private static boolean isInjectable(BeanDefinition definition) {
        return definition.isAutowireCandidate()
                && !(definition instanceof AbstractBeanDefinition made && !made.isDefaultCandidate());
    }
}
