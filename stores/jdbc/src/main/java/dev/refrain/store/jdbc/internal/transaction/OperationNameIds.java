package dev.refrain.store.jdbc.internal.transaction;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.jdbc.internal.record.OperationNames;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * Numbers of the operations' names, for records that are written in transactions: learned on the store's own connection, or, where only one
 * can write and this transaction does, inside of it.
 */
public record OperationNameIds(OperationNames names, OperationNames.StoreConnection own) {

    OptionalLong of(ClaimRequest request, SqlSession session) throws SQLException {
        return session.dialect().hasConcurrentWriters() ? names.idOf(request, own) : names.idWithin(session, request);
    }
}
