package dev.refrain.examples.servlet;

import dev.refrain.Refrain;
import dev.refrain.http.OperationMode;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.servlet.RefrainFilter;
import dev.refrain.http.servlet.ScopeResolver;
import dev.refrain.http.servlet.TransactionalDataSource;
import dev.refrain.store.jdbc.JdbcStore;
import jakarta.servlet.DispatcherType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.sqlite.SQLiteDataSource;

/**
 * Payments API on Tomcat, with its ledger and its keys in one SQLite file, so that both commit together. Thread-safe.
 */
public final class PaymentsServer implements AutoCloseable {

    private static final Logger TOMCAT = Logger.getLogger("org.apache");

    private final Path file;
    private final JdbcStore store;
    private final Refrain refrain;
    private final Tomcat tomcat = new Tomcat();

    private PaymentsServer(Path file, int port) throws IOException, SQLException, LifecycleException {
        this.file = file;
        var database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + file);
        try (var connection = database.getConnection();
                var create = connection.createStatement()) {
            create.execute("PRAGMA journal_mode = WAL");
            create.execute("CREATE TABLE IF NOT EXISTS payment (id TEXT PRIMARY KEY, amount INTEGER, currency TEXT)");
        }
        store = JdbcStore.on(database);
        refrain = Refrain.using(store);
        var filter = RefrainFilter.builder(refrain)
                .scope(ScopeResolver.shared())
                .transactions(store.transactions())
                .route("POST /payments", RoutePolicy.of(OperationMode.transactional()))
                .build();
        start(filter, new PaymentsServlet(TransactionalDataSource.over(database)), port);
    }

    /**
     * Starts the server.
     *
     * @param port the port to listen on; 0 for a free one
     */
    public static PaymentsServer start(Path file, int port) throws IOException, SQLException, LifecycleException {
        return new PaymentsServer(file, port);
    }

    /** Describes where to find the API, its contract and its ledger. */
    public String described() {
        String here = "http://localhost:" + port();
        return "Payments API at " + here + "/payments, contract at " + here + "/refrain/contract, ledger in " + file;
    }

    /** Blocks until the server is stopped. */
    public void await() {
        tomcat.getServer().await();
    }

    private void start(RefrainFilter filter, PaymentsServlet servlet, int port) throws IOException, LifecycleException {
        TOMCAT.setLevel(Level.WARNING);
        Path folder = Files.createTempDirectory("payments-");
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(port);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        var context = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(context, "payments", servlet);
        context.addServletMappingDecoded("/payments", "payments");
        // Tomcat runs filters only for paths mapped to a servlet; the filter itself serves Refrain's paths.
        Tomcat.addServlet(context, "default", new DefaultServlet());
        context.addServletMappingDecoded("/", "default");
        var definition = new FilterDef();
        definition.setFilterName("refrain");
        definition.setFilter(filter);
        context.addFilterDef(definition);
        var mapping = new FilterMap();
        mapping.setFilterName("refrain");
        mapping.addURLPattern("/*");
        mapping.setDispatcher(DispatcherType.REQUEST.name());
        context.addFilterMap(mapping);
        tomcat.start();
    }

    /** Port that the server listens on. */
    public int port() {
        return tomcat.getConnector().getLocalPort();
    }

    @Override
    public void close() {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        } finally {
            refrain.close();
            store.close();
        }
    }
}
