package dev.refrain.spring.console;

import dev.refrain.Refrain;
import dev.refrain.console.ConsoleAuthenticator;
import dev.refrain.console.ConsoleSection;
import dev.refrain.console.ConsoleSections;
import dev.refrain.console.ContractSection;
import dev.refrain.console.LiveActivityListener;
import dev.refrain.console.OperatorConsole;
import dev.refrain.console.PasswordHash;
import dev.refrain.console.PasswordLogin;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.RefrainProperties;
import dev.refrain.spring.handler.ProtectedHandlerRegistry;
import dev.refrain.spring.mvc.RefrainWebMvcAutoConfiguration;
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

/** The console, where it is asked for. Every {@link ConsoleSection} that is a bean is a part of it. */
@AutoConfiguration(after = {RefrainAutoConfiguration.class, RefrainWebMvcAutoConfiguration.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "refrain.console.enabled", havingValue = "true")
@ConditionalOnBean({Refrain.class, JdbcStore.class})
public class RefrainConsoleAutoConfiguration {

    /** A listener: Refrain is given it with all others. */
    @Bean
    @ConditionalOnMissingBean
    LiveActivityListener refrainLive() {
        return new LiveActivityListener(InstantSource.system());
    }

    @Bean
    @ConditionalOnMissingBean
    ConsoleAuthenticator refrainConsoleAccess(RefrainProperties properties) {
        var settings = properties.console();
        if (!settings.passwordHash().isEmpty()) {
            return new PasswordLogin(PasswordHash.parse(settings.passwordHash()), InstantSource.system());
        }
        if (settings.role().isEmpty()) {
            throw new IllegalStateException(
                    "refrain.console.enabled is true and nobody could enter: set"
                            + " refrain.console.password-hash, or refrain.console.role to a role that whatever authenticates requests gives.");
        }
        return ConsoleAuthenticator.trustingHost();
    }

    @Bean
    @ConditionalOnMissingBean
    OperatorConsole refrainConsole(
            Refrain refrain,
            JdbcStore store,
            LiveActivityListener live,
            ConsoleAuthenticator access,
            ObjectProvider<ProtectedHandlerRegistry> handlers,
            ObjectProvider<ConsoleSection> sections) {
        var console = OperatorConsole.of(
                access,
                ConsoleSections.of(
                        refrain.admin(), store.recordBrowser(), live, store.outboxBrowser(), store.outbox()));
        var published = handlers.getIfAvailable();
        var whole = published == null ? console : console.and(new ContractSection(published::contract));
        return sections.orderedStream().reduce(whole, OperatorConsole::and, (one, other) -> other);
    }

    @Bean
    @ConditionalOnMissingBean(name = "refrainConsoleServlet")
    ServletRegistrationBean<ConsoleServlet> refrainConsoleServlet(
            OperatorConsole console, RefrainProperties properties) {
        var settings = properties.console();
        var servlet = new ConsoleServlet(console, settings.passwordHash().isEmpty() ? settings.role() : "");
        return new ServletRegistrationBean<>(servlet, settings.path() + "/*");
    }
}
