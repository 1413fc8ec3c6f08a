package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.KeyHash;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlErrorTranslator.SqlErrorKind;
import dev.refrain.store.jdbc.internal.sql.SqlResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.jdbc.internal.sql.TableLockedException;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds the keys of a batch that open transactions of others keep it from claiming. Asked only after a batch has failed. */
final class LockedKeys {

    /** Keys whose record somebody has made or deleted and not committed. */
    private static final ParameterizedScript<ClaimRequest> BLOCKED =
            ParameterizedScript.<ClaimRequest>script("blocked_keys").include(ClaimScripts.CLAIM, r -> r);

    /** Keys whose lock a transaction holds. */
    private static final ParameterizedScript<ClaimRequest> HELD = ParameterizedScript.<ClaimRequest>script("held_keys")
            .include(ClaimScripts.CLAIM, r -> r)
            .number("lock", r -> SqlScriptLibrary.lockOf(r.lookup()));

    private LockedKeys() {}

    /**
     * Returns the keys whose record cannot be created now.
     *
     * @throws TableLockedException if none can, because the table is locked
     */
    static Set<KeyHash> blocked(SqlSession session, List<ClaimRequest> asked) throws SQLException {
        try {
            return new HashSet<>(session.runBatch(BLOCKED, asked, SqlResultRow::lookup));
        } catch (SQLException e) {
            throw session.dialect().failures().classify(e) == SqlErrorKind.LOCKED ? new TableLockedException(e) : e;
        }
    }

    /** Returns the keys under which a transactional operation runs. */
    static Set<KeyHash> heldByTransactions(SqlSession session, List<ClaimRequest> asked) throws SQLException {
        return new HashSet<>(session.runBatch(HELD, asked, SqlResultRow::lookup));
    }
}
