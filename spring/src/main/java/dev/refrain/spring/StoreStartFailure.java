package dev.refrain.spring;

import dev.refrain.store.StoreException;
import java.sql.SQLException;

/** Explains why the store of the keys could not be opened. */
final class StoreStartFailure {

    private StoreStartFailure() {}

    static RefrainStartException explain(StorePlace place, StoreException failure) {
        return explain(place.store(), place.databaseSettings(), failure);
    }

    /** @param bean name of the bean whose creation failed */
    static RefrainStartException explain(String bean, StoreException failure) {
        return explain("The store of the bean " + bean, "the DataSource that this bean uses", failure);
    }

    private static RefrainStartException explain(String store, String databaseSettings, StoreException failure) {
        return new RefrainStartException(
                store + " cannot be opened. " + failure.getMessage() + databaseMessage(failure),
                failure.isTransient()
                        ? "Check that the database runs and accepts this application's user (" + databaseSettings
                                + "), and start again."
                        : "Do what the last sentence of the description says, and start again. docs/operations.md has the details.",
                failure);
    }

    /** Returns the first line of the database's own message. Nothing was stored yet that it could quote. */
    private static String databaseMessage(Throwable failure) {
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException && cause.getMessage() != null) {
                return " (" + cause.getMessage().lines().findFirst().orElse("") + ")";
            }
        }
        return "";
    }
}
