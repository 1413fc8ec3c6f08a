package dev.refrain.store.jdbc;

import dev.refrain.key.Identity;
import dev.refrain.key.Lookup;
import dev.refrain.store.StoredRecord;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** How records are read by their identities. */
final class Finding {

    private record Wanted(Lookup lookup, Identity identity) {}

    private static final Question<Wanted> FIND = Question.<Wanted>script("find")
            .uuid("lookup", w -> w.lookup().asUuid())
            .text("scope", w -> w.identity().scope())
            .text("namespace", w -> w.identity().namespace())
            .text("key", w -> w.identity().key());

    private Finding() {}

    static List<Optional<StoredRecord>> find(Session session, List<Identity> identities) throws SQLException {
        var wanted = identities.stream().map(i -> new Wanted(i.hash(), i)).toList();
        var found = new HashMap<Lookup, Seen>();
        session.runBatch(FIND, wanted, Seen::read).forEach(seen -> found.put(seen.lookup(), seen));
        return wanted.stream()
                .map(w -> Optional.ofNullable(found.get(w.lookup())).flatMap(seen -> seen.liveRecordOf(w.identity())))
                .toList();
    }
}
