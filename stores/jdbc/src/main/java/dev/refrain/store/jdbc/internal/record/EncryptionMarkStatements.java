package dev.refrain.store.jdbc.internal.record;

import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;

/** Marks that say under which keys payloads are encrypted: rows of the table of facts about the store. */
public final class EncryptionMarkStatements {

    private static final String PREFIX = "encryption.";

    private static final ParameterizedScript<Boolean> LIST = ParameterizedScript.script("encryption_marks");
    private static final ParameterizedScript<String> ADD =
            ParameterizedScript.<String>script("encryption_mark").text("name", mark -> PREFIX + mark);
    private static final ParameterizedScript<Byte> OTHERS =
            ParameterizedScript.<Byte>script("payloads_not_beginning_with").bytes("first", first -> new byte[] {first});

    private EncryptionMarkStatements() {}

    public static Set<String> list(SqlSession session) throws SQLException {
        return new TreeSet<>(session.run(LIST, true, c -> c.text("name").substring(PREFIX.length())));
    }

    public static boolean hasOthers(SqlSession session, byte first) throws SQLException {
        return !session.run(OTHERS, first, c -> true).isEmpty();
    }

    public static boolean add(SqlSession session, String mark) throws SQLException {
        session.run(ADD, mark, (result, columns) -> {});
        return true;
    }
}
