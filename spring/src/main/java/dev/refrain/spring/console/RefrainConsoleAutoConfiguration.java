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
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.spring.RefrainAutoConfiguration;
import dev.refrain.spring.RefrainProperties;
import dev.refrain.spring.RefrainStartException;
import dev.refrain.spring.StoreEncryption;
import dev.refrain.spring.internal.handler.ProtectedHandlerRegistry;
import dev.refrain.spring.mvc.RefrainWebMvcAutoConfiguration;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.Store;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.OutboxStore;
import java.time.InstantSource;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;

/** Configures the operator console if it is enabled. Every {@link ConsoleSection} bean becomes a section of it. */
@AutoConfiguration(after = {RefrainAutoConfiguration.class, RefrainWebMvcAutoConfiguration.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "refrain.console.enabled", havingValue = "true")
@ConditionalOnBean({Refrain.class, Store.class})
public class RefrainConsoleAutoConfiguration {

    /** Creates a listener, which Refrain picks up with all other listener beans. */
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
            return RefrainStartException.explain(
                    () -> new PasswordLogin(PasswordHash.parse(settings.passwordHash()), InstantSource.system()));
        }
        if (settings.role().isEmpty()) {
            throw new RefrainStartException(
                    "refrain.console.enabled is true, but nobody could log in.",
                    "Set"
                            + " refrain.console.password-hash, or set refrain.console.role to a role that the application's authentication assigns.");
        }
        return ConsoleAuthenticator.trustingHost();
    }

    @Bean
    @ConditionalOnMissingBean
    OperatorConsole refrainConsole(
            Refrain refrain,
            ObjectProvider<Store> stores,
            ObjectProvider<StoreEncryption> encryption,
            LiveActivityListener live,
            ConsoleAuthenticator access,
            ObjectProvider<ProtectedHandlerRegistry> handlers,
            ObjectProvider<ConsoleSection> sections) {
        var store = encryption.stream().map(StoreEncryption::store).findFirst().orElseGet(stores::getObject);
        var console = OperatorConsole.of(access, sections(refrain, store, live));
        var published = handlers.getIfAvailable();
        var whole = published == null ? console : console.and(new ContractSection(published::contract));
        return sections.orderedStream().reduce(whole, OperatorConsole::and, (one, other) -> other);
    }

    private static List<ConsoleSection> sections(Refrain refrain, Store store, LiveActivityListener live) {
        var browsing = StoreAbility.require(store, RecordBrowser.class, "The console (refrain.console.enabled)");
        return store.ability(OutboxBrowser.class)
                .map(messages -> ConsoleSections.of(
                        refrain.admin(),
                        browsing,
                        live,
                        messages,
                        StoreAbility.require(store, OutboxStore.class, "The console")))
                .orElseGet(() -> ConsoleSections.of(refrain.admin(), browsing, live));
    }

    @Bean
    @ConditionalOnMissingBean(name = "refrainConsoleServlet")
    ServletRegistrationBean<ConsoleServlet> refrainConsoleServlet(
            OperatorConsole console, RefrainProperties properties) {
        var settings = properties.console();
        if (new ContractAndStatusPaths(properties.http().basePath()).contains(settings.path())) {
            throw new RefrainStartException(
                    "refrain.console.path is '" + settings.path()
                            + "', but everything below refrain.http.base-path is answered by Refrain's own pages.",
                    "Choose a path beside it.");
        }
        var servlet = new ConsoleServlet(console, settings.passwordHash().isEmpty() ? settings.role() : "");
        return new ServletRegistrationBean<>(servlet, settings.path() + "/*");
    }
}
