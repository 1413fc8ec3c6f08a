package dev.refrain.store.jdbc.internal.browse;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordView;
import dev.refrain.store.jdbc.internal.record.ColumnCodes;
import dev.refrain.store.jdbc.internal.record.RecordExplainer;
import dev.refrain.store.jdbc.internal.record.RecordExplainer.UnexplainedRow;
import dev.refrain.store.jdbc.internal.sql.SqlResultRow;
import java.sql.SQLException;
import java.util.Optional;

/** Reads what the script {@code view} selects. */
final class RecordViewRowMapper {

    private RecordViewRowMapper() {}

    static UnexplainedRow<RecordView> read(SqlResultRow c) throws SQLException {
        var unexplained = unexplained(c);
        return RecordExplainer.read(c, unexplained::explainedBy);
    }

    private static ViewParts unexplained(SqlResultRow c) throws SQLException {
        return new ViewParts(
                identity(c),
                new ClaimRef(c.lookup(), new RecordId(c.uuid("id")), c.number("fence")),
                ColumnCodes.state((int) c.number("state")),
                c.flag("hold") ? LeaseExpiryPolicy.HOLD : LeaseExpiryPolicy.RESUME,
                c.textIfAny("recipe"),
                c.textIfAny("subject"),
                new RecordView.RecordTimestamps(
                        c.instant("claimed_at"),
                        c.momentIfAny("completed_at"),
                        c.momentIfAny("lease_until"),
                        c.momentIfAny("expires_at"),
                        c.instant("seen_at")),
                new RecordView.PayloadSizes(
                        c.numberIfAny("outcome_size"),
                        c.numberIfAny("request_size"),
                        c.numberIfAny("carried_size"),
                        c.numberIfAny("kept_request_size")),
                RecordExplainer.attention(c));
    }

    private static Optional<ScopedKey> identity(SqlResultRow c) throws SQLException {
        var key = c.textIfAny("key");
        return key.isEmpty()
                ? Optional.empty()
                : Optional.of(new ScopedKey(c.text("scope"), c.text("namespace"), key.get()));
    }

    /** View without its explanation. */
    private record ViewParts(
            Optional<ScopedKey> identity,
            ClaimRef claim,
            RecordState state,
            LeaseExpiryPolicy takeOver,
            Optional<String> recipe,
            Optional<String> subject,
            RecordView.RecordTimestamps times,
            RecordView.PayloadSizes sizes,
            Optional<RecordView.AttentionReason> attention) {

        RecordView explainedBy(RecordExplanation explanation) {
            return new RecordView(
                    identity, claim, state, takeOver, recipe, subject, times, sizes, attention, explanation);
        }
    }
}
