package dev.refrain.cli;

import dev.refrain.store.MissingAbilityException;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreLocation;
import dev.refrain.store.encryption.EncryptionKeyRing;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.jdbc.MysqlDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteDataSource;
import picocli.CommandLine.Help;
import picocli.CommandLine.Option;

/**
 * Options that select the store. Passwords are never read from the command line, where the process list would show
 * them.
 */
final class StoreOptions {

    static final String STORE_VARIABLE = "REFRAIN_CLI_STORE";

    static final String USER_VARIABLE = "REFRAIN_STORE_USER";

    static final String PASSWORD_VARIABLE = "REFRAIN_STORE_PASSWORD";

    static final String KEYS_VARIABLE = "REFRAIN_ENCRYPTION_KEYS";

    private static final String POSTGRESQL = "jdbc:postgresql:";
    private static final String SQLITE = "jdbc:sqlite:";
    private static final String DATABASE = "jdbc:";
    private static final Pattern PASSWORD = Pattern.compile("[?&]password=|//[^/@]*:[^/@]*@", Pattern.CASE_INSENSITIVE);

    @Option(
            names = "--store",
            required = true,
            defaultValue = "${env:" + STORE_VARIABLE + "}",
            showDefaultValue = Help.Visibility.NEVER,
            paramLabel = "URL",
            description =
                    "Store to use: jdbc:postgresql://host/database, jdbc:mariadb://host/database, jdbc:mysql://host/database, jdbc:sqlite:file or redis://host:port (default: read from $"
                            + STORE_VARIABLE + "). The password is read from $" + PASSWORD_VARIABLE
                            + "; use --ask-password to be prompted.")
    private String url;

    @Option(
            names = "--user",
            defaultValue = "${env:" + USER_VARIABLE + "}",
            showDefaultValue = Help.Visibility.NEVER,
            paramLabel = "NAME",
            description = "Database user (default: read from $" + USER_VARIABLE + ").")
    private @Nullable String user;

    @Option(names = "--ask-password", description = "Prompt for the password.")
    private boolean askPassword;

    @Option(
            names = "--schema",
            paramLabel = "NAME",
            defaultValue = "",
            description = "PostgreSQL schema of the tables (default: the first one on the search path).")
    private String schema;

    @Option(
            names = "--encryption-keys",
            paramLabel = "FILE",
            description = {
                "File with the applications' encryption keys: id=BASE64, the current one first, one a line (default: read from $"
                        + KEYS_VARIABLE + ").",
                "Needed on an encrypted store to read contents and to store a response."
            })
    private @Nullable Path encryptionKeys;

    /** Runs an action on the existing store and reports store errors in one line. */
    <T> T withStore(Function<OpenedStore, T> action) {
        var ring = keyRing();
        return attempt(() -> {
            try (var store = open()) {
                return action.apply(OpenedStore.of(store, ring));
            }
        });
    }

    private Store open() {
        return isDatabase()
                ? JdbcStore.builder(existingDataSource())
                        .schema(schema)
                        .migrate(false)
                        .build()
                : otherStore();
    }

    private Store otherStore() {
        try {
            return location().open();
        } catch (IllegalArgumentException wrong) {
            throw CommandFailedException.usage(String.valueOf(wrong.getMessage()));
        }
    }

    private boolean isDatabase() {
        return url.startsWith(DATABASE);
    }

    private StoreLocation location() {
        requireNoPassword();
        return StoreLocation.of(url)
                .schema(schema)
                .migrate(false)
                .login(user == null ? "" : user, password().orElse(""));
    }

    private Optional<EncryptionKeyRing> keyRing() {
        try {
            return encryptionKeys == null
                    ? Optional.ofNullable(System.getenv(KEYS_VARIABLE))
                            .filter(keys -> !keys.isBlank())
                            .map(EncryptionKeyRing::parse)
                    : Optional.of(EncryptionKeyRing.parse(Files.readString(encryptionKeys)));
        } catch (IllegalArgumentException malformed) {
            throw CommandFailedException.usage(String.valueOf(malformed.getMessage()));
        } catch (IOException e) {
            throw CommandFailedException.failed(
                    "Cannot read " + encryptionKeys + ": --encryption-keys takes a file that you may read.", e);
        }
    }

    /** Runs an action on the database, which may not contain a store yet. */
    <T> T withDatabase(Function<DataSource, T> action) {
        if (!isDatabase() && StoreLocation.of(url).isKnown()) {
            throw CommandFailedException.usage(
                    "This store has no tables: it needs no `refrain migrate`. The command is for URLs that begin with "
                            + DATABASE + ".");
        }
        return attempt(() -> action.apply(dataSource()));
    }

    /** Returns true if the store is no database, but one whose table is created by opening it. */
    boolean isCreatedByOpening() {
        var place = StoreLocation.of(url);
        return !isDatabase() && place.isKnown() && place.hasTables();
    }

    /** Opens the store, creates what is missing, and returns its name. */
    String create() {
        return attempt(() -> {
            try (var store = location().migrate(true).open()) {
                return store.traits().name();
            } catch (IllegalArgumentException wrong) {
                throw CommandFailedException.usage(String.valueOf(wrong.getMessage()));
            }
        });
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
            throw CommandFailedException.failed(StoreErrorFormatter.describe(url, e), e);
        } catch (MissingAbilityException e) {
            throw CommandFailedException.failed(String.valueOf(e.getMessage()), e);
        }
    }

    /** Fails if the SQLite file is missing, instead of letting the driver create an empty one. */
    private DataSource existingDataSource() {
        if (url.startsWith(SQLITE)) {
            var file = Path.of(url.substring(SQLITE.length()).replaceFirst("\\?.*", ""));
            if (!Files.isRegularFile(file)) {
                throw CommandFailedException.failed(
                        Files.exists(file)
                                ? file + " is not a regular file: --store takes the database file."
                                : "File not found: " + file + ". Create a store with `refrain migrate`.",
                        null);
            }
        }
        return dataSource();
    }

    private void requireNoPassword() {
        if (PASSWORD.matcher(url).find()) {
            throw CommandFailedException.usage("The password in --store would show up in the process list. Set "
                    + PASSWORD_VARIABLE + " or use --ask-password.");
        }
    }

    private DataSource dataSource() {
        requireNoPassword();
        if (url.startsWith(SQLITE)) {
            var source = new SQLiteDataSource();
            source.setUrl(url);
            return source;
        }
        if (url.startsWith(POSTGRESQL)) {
            return postgres();
        }
        if (MysqlDataSource.accepts(url)) {
            return MysqlDataSource.of(url, user, password().orElse(null));
        }
        throw CommandFailedException.usage(
                "'" + url + "' is not a store URL. " + StoreLocation.of(url).refusal());
    }

    private DataSource postgres() {
        var source = new PGSimpleDataSource();
        try {
            source.setUrl(url);
        } catch (IllegalArgumentException e) {
            throw CommandFailedException.usage("'" + url + "' is not a valid PostgreSQL JDBC URL.");
        }
        if (user != null && !user.isEmpty()) {
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
