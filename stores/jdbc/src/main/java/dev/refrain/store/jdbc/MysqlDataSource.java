package dev.refrain.store.jdbc;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Plain connections to MySQL or MariaDB by whichever driver is on the class path, for tools that have no pool of their own.
 *
 * <p>Thread-safe.
 */
public final class MysqlDataSource implements DataSource {

    private static final String MARIADB = "jdbc:mariadb:";
    private static final String MYSQL = "jdbc:mysql:";

    private final String url;
    private final Properties login;

    private MysqlDataSource(String url, Properties login) {
        this.url = url;
        this.login = login;
    }

    /** Returns true for a URL of MySQL's or MariaDB's driver. */
    public static boolean accepts(String url) {
        return url.startsWith(MARIADB) || url.startsWith(MYSQL);
    }

    /**
     * Returns connections of this URL.
     *
     * @throws StoreException if no driver on the class path takes it; the message names the one to add
     */
    public static MysqlDataSource of(String url, @Nullable String user, @Nullable String password) {
        try {
            var unused = DriverManager.getDriver(url);
        } catch (SQLException noDriver) {
            throw StoreException.permanent(
                    url.startsWith(MARIADB)
                            ? "MariaDB's driver is not on the class path, or rejects this URL. Add the dependency"
                                    + " org.mariadb.jdbc:mariadb-java-client; to an installed `refrain`, its jar in the folder lib."
                            : "MySQL's driver is not on the class path, or rejects this URL. Add the dependency"
                                    + " com.mysql:mysql-connector-j, or write jdbc:mariadb: and add"
                                    + " org.mariadb.jdbc:mariadb-java-client, which speaks to MySQL too; to an installed `refrain`, the"
                                    + " jar in the folder lib.",
                    Effect.NONE,
                    null);
        }
        var login = new Properties();
        if (user != null) {
            login.setProperty("user", user);
        }
        if (password != null) {
            login.setProperty("password", password);
        }
        return new MysqlDataSource(url, login);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return DriverManager.getConnection(url, login);
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException("The driver logs by itself.");
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException("Set connectTimeout in the URL.");
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("The driver logs by itself.");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLFeatureNotSupportedException("This wraps no " + type.getName() + ".");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
