package dev.refrain.spring;

import dev.refrain.Refrain;
import dev.refrain.console.Access;
import dev.refrain.console.Console;
import dev.refrain.console.Contract;
import dev.refrain.console.Live;
import dev.refrain.console.PasswordHash;
import dev.refrain.console.PasswordLogin;
import dev.refrain.console.Section;
import dev.refrain.console.Sections;
import dev.refrain.store.jdbc.JdbcStore;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;

/** The console, where it is asked for. Every {@link Section} that is a bean is a part of it. */
@AutoConfiguration(after = {RefrainAutoConfiguration.class, RefrainWebMvcAutoConfiguration.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "refrain.console.enabled", havingValue = "true")
@ConditionalOnBean({Refrain.class, JdbcStore.class})
public class RefrainConsoleAutoConfiguration {

    /** A listener: Refrain is given it with all others. */
    @Bean
    @ConditionalOnMissingBean
    Live refrainLive() {
        return new Live(InstantSource.system());
    }

    @Bean
    @ConditionalOnMissingBean
    Access refrainConsoleAccess(RefrainProperties properties) {
        var settings = properties.console();
        if (!settings.passwordHash().isEmpty()) {
            return new PasswordLogin(PasswordHash.parse(settings.passwordHash()), InstantSource.system());
        }
        if (settings.role().isEmpty()) {
            throw new IllegalStateException(
                    "refrain.console.enabled is true and nobody could enter: set"
                            + " refrain.console.password-hash, or refrain.console.role to a role that whatever authenticates requests gives.");
        }
        return Access.trustingHost();
    }

    @Bean
    @ConditionalOnMissingBean
    Console refrainConsole(
            Refrain refrain,
            JdbcStore store,
            Live live,
            Access access,
            ObjectProvider<IdempotentHandlers> handlers,
            ObjectProvider<Section> sections) {
        var console = Console.of(
                access,
                Sections.of(refrain.admin(), store.recordBrowser(), live, store.outboxBrowser(), store.outbox()));
        var published = handlers.getIfAvailable();
        var whole = published == null ? console : console.and(new Contract(published::contract));
        return sections.orderedStream().reduce(whole, Console::and, (one, other) -> other);
    }

    @Bean
    @ConditionalOnMissingBean(name = "refrainConsoleServlet")
    ServletRegistrationBean<ConsoleServlet> refrainConsoleServlet(Console console, RefrainProperties properties) {
        var settings = properties.console();
        var servlet = new ConsoleServlet(console, settings.passwordHash().isEmpty() ? settings.role() : "");
        return new ServletRegistrationBean<>(servlet, settings.path() + "/*");
    }
}
