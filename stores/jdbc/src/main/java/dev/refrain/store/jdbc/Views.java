package dev.refrain.store.jdbc;

import dev.refrain.key.Identity;
import dev.refrain.key.RecordId;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.RecordView;
import dev.refrain.store.TakeOver;
import java.sql.SQLException;
import java.util.Optional;

/** Reads what the script {@code view} selects. */
final class Views {

    private Views() {}

    static RecordView read(Columns c) throws SQLException {
        return new RecordView(
                identity(c),
                new ClaimRef(c.lookup(), new RecordId(c.uuid("id")), c.number("fence")),
                Codes.state((int) c.number("state")),
                c.flag("hold") ? TakeOver.HOLD : TakeOver.RESUME,
                c.textIfAny("recipe"),
                c.textIfAny("recovery_point"),
                c.textIfAny("subject"),
                new RecordView.Times(
                        c.instant("claimed_at"),
                        c.momentIfAny("completed_at"),
                        c.momentIfAny("lease_until"),
                        c.momentIfAny("expires_at"),
                        c.instant("seen_at")),
                new RecordView.Sizes(
                        c.numberIfAny("outcome_size"), c.numberIfAny("request_size"), c.numberIfAny("carried_size")),
                waiting(c));
    }

    private static Optional<Identity> identity(Columns c) throws SQLException {
        var key = c.textIfAny("key");
        return key.isEmpty()
                ? Optional.empty()
                : Optional.of(new Identity(c.text("scope"), c.text("namespace"), key.get()));
    }

    private static Optional<RecordView.Waiting> waiting(Columns c) throws SQLException {
        var reason = c.textIfAny("reason");
        return reason.isEmpty()
                ? Optional.empty()
                : Optional.of(new RecordView.Waiting(reason.get(), c.instant("since")));
    }
}
