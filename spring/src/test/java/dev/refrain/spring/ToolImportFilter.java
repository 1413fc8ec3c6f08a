package dev.refrain.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/** Leaves Flyway, Liquibase, JPA and Spring Security to the applications that ask for them by {@code test.tools}: most have none of them. */
final class ToolImportFilter implements AutoConfigurationImportFilter, EnvironmentAware {

    private static final List<String> TOOLS = List.of("flyway", "liquibase", "hibernate", "jpa", "security");

    private List<String> wanted = List.of();

    @Override
    public void setEnvironment(Environment environment) {
        wanted = List.of(environment.getProperty("test.tools", String[].class, new String[0]));
    }

    @Override
    public boolean[] match(@Nullable String[] classes, AutoConfigurationMetadata metadata) {
        var taken = new boolean[classes.length];
        for (int i = 0; i < classes.length; i++) {
            String name = classes[i];
            taken[i] = name == null
                    || TOOLS.stream().noneMatch(tool -> !wanted.contains(tool) && name.contains("." + tool + "."));
        }
        return taken;
    }
}
