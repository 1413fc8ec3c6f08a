package dev.refrain.cli;

import dev.refrain.store.StoreException;
import dev.refrain.store.jdbc.JdbcStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteDataSource;
import picocli.CommandLine.Option;

/** Which store an operator's command works on. A password never stands on the command line, where the process list shows it. */
final class StoreOptions {

    static final String PASSWORD_VARIABLE = "REFRAIN_STORE_PASSWORD";

    private static final String POSTGRESQL = "jdbc:postgresql:";
    private static final String SQLITE = "jdbc:sqlite:";
    private static final Pattern PASSWORD = Pattern.compile("[?&]password=", Pattern.CASE_INSENSITIVE);

    @Option(
            names = "--store",
            required = true,
            paramLabel = "JDBC-URL",
            description = "The store: jdbc:postgresql://host/database or jdbc:sqlite:file. Its password is read from"
                    + " $" + PASSWORD_VARIABLE + ", or asked for with --ask-password.")
    private String url;

    @Option(names = "--user", paramLabel = "NAME", description = "The database's user.")
    private @Nullable String user;

    @Option(names = "--ask-password", description = "Ask for the password.")
    private boolean askPassword;

    @Option(
            names = "--schema",
            paramLabel = "NAME",
            defaultValue = "",
            description = "The PostgreSQL schema of the tables, if it is not the first on the search path.")
    private String schema;

    /** Does something with the store as it is; what fails is told in a sentence. */
    <T> T withStore(Function<JdbcStore, T> action) {
        return attempt(() -> {
            var source = existing();
            try (var store =
                    JdbcStore.builder(source).schema(schema).migrate(false).build()) {
                return action.apply(store);
            }
        });
    }

    /** Does something with the database, in which there may be no store yet. */
    <T> T withDatabase(Function<DataSource, T> action) {
        return attempt(() -> action.apply(dataSource()));
    }

    String schema() {
        return schema;
    }

    private interface Attempt<T> {
        T make();
    }

    private <T> T attempt(Attempt<T> attempt) {
        try {
            return attempt.make();
        } catch (StoreException e) {
            throw CommandFailedException.failed(StoreErrorMessages.describe(url, e), e);
        }
    }

    /** SQLite would make a file that is not there, and then find no tables in it. */
    private DataSource existing() {
        if (url.startsWith(SQLITE)) {
            var file = Path.of(url.substring(SQLITE.length()).replaceFirst("\\?.*", ""));
            if (!Files.isRegularFile(file)) {
                throw CommandFailedException.failed(
                        Files.exists(file)
                                ? file + " is no file: --store names the file in which the keys are."
                                : "There is no file " + file + ": `refrain migrate` makes a new store.",
                        null);
            }
        }
        return dataSource();
    }

    private DataSource dataSource() {
        if (PASSWORD.matcher(url).find()) {
            throw CommandFailedException.usage("A password in --store would be seen in the process list: set "
                    + PASSWORD_VARIABLE + ", or say --ask-password.");
        }
        if (url.startsWith(SQLITE)) {
            var source = new SQLiteDataSource();
            source.setUrl(url);
            return source;
        }
        if (url.startsWith(POSTGRESQL)) {
            return postgres();
        }
        throw CommandFailedException.usage(
                "'" + url + "' is no store: a store is " + POSTGRESQL + "//host/database or " + SQLITE + "file.");
    }

    private DataSource postgres() {
        var source = new PGSimpleDataSource();
        try {
            source.setUrl(url);
        } catch (IllegalArgumentException e) {
            throw CommandFailedException.usage("'" + url + "' is no URL of a PostgreSQL database.");
        }
        if (user != null) {
            source.setUser(user);
        }
        password().ifPresent(source::setPassword);
        return source;
    }

    private Optional<String> password() {
        return askPassword
                ? TerminalPrompt.readPassword("Password: ", "set " + PASSWORD_VARIABLE + " instead.")
                : Optional.ofNullable(System.getenv(PASSWORD_VARIABLE)).filter(p -> !p.isEmpty());
    }
}
