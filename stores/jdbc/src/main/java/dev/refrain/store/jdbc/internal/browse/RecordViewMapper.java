package dev.refrain.store.jdbc.internal.browse;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.RecordView;
import dev.refrain.store.jdbc.internal.record.ColumnCodes;
import dev.refrain.store.jdbc.internal.sql.ResultRow;
import java.sql.SQLException;
import java.util.Optional;

/** Reads what the script {@code view} selects. */
final class RecordViewMapper {

    private RecordViewMapper() {}

    static RecordView read(ResultRow c) throws SQLException {
        return new RecordView(
                identity(c),
                new ClaimRef(c.lookup(), new RecordId(c.uuid("id")), c.number("fence")),
                ColumnCodes.state((int) c.number("state")),
                c.flag("hold") ? LeaseExpiryPolicy.HOLD : LeaseExpiryPolicy.RESUME,
                c.textIfAny("recipe"),
                c.textIfAny("recovery_point"),
                c.textIfAny("subject"),
                new RecordView.Timestamps(
                        c.instant("claimed_at"),
                        c.momentIfAny("completed_at"),
                        c.momentIfAny("lease_until"),
                        c.momentIfAny("expires_at"),
                        c.instant("seen_at")),
                new RecordView.PayloadSizes(
                        c.numberIfAny("outcome_size"), c.numberIfAny("request_size"), c.numberIfAny("carried_size")),
                waiting(c));
    }

    private static Optional<ScopedKey> identity(ResultRow c) throws SQLException {
        var key = c.textIfAny("key");
        return key.isEmpty()
                ? Optional.empty()
                : Optional.of(new ScopedKey(c.text("scope"), c.text("namespace"), key.get()));
    }

    private static Optional<RecordView.AttentionReason> waiting(ResultRow c) throws SQLException {
        var reason = c.textIfAny("reason");
        return reason.isEmpty()
                ? Optional.empty()
                : Optional.of(new RecordView.AttentionReason(reason.get(), c.instant("since")));
    }
}
