package dev.refrain.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;

/** Both containers are on the class path of these tests. Tomcat is the one, except where a test makes a Jetty of its own. */
final class JettyImportFilter implements AutoConfigurationImportFilter {

    @Override
    public boolean[] match(@Nullable String[] configurations, AutoConfigurationMetadata metadata) {
        var wanted = new boolean[configurations.length];
        for (int i = 0; i < wanted.length; i++) {
            var name = configurations[i];
            wanted[i] = name == null || !name.startsWith("org.springframework.boot.jetty.");
        }
        return wanted;
    }
}
