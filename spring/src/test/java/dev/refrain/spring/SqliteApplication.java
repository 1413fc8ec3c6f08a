package dev.refrain.spring;

import dev.refrain.spring.method.RefrainMethodAutoConfiguration;
import dev.refrain.spring.mvc.RefrainWebMvcAutoConfiguration;
import dev.refrain.spring.transaction.RefrainFlowAutoConfiguration;
import java.nio.file.Path;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.sqlite.SQLiteDataSource;

/** A web application whose databases are files, for tests of what is refused at start. */
final class SqliteApplication {

    private SqliteApplication() {}

    static WebApplicationContextRunner runner() {
        return new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        RefrainAutoConfiguration.class,
                        RefrainProtectionCheckAutoConfiguration.class,
                        RefrainMethodAutoConfiguration.class,
                        RefrainFlowAutoConfiguration.class,
                        RefrainWebMvcAutoConfiguration.class,
                        BootParts.TRANSACTIONS,
                        BootParts.WEB_MVC))
                .withPropertyValues("refrain.scope=shared");
    }

    static SQLiteDataSource database(Path directory, String name) {
        var source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + directory.resolve(name + ".db"));
        return source;
    }
}
