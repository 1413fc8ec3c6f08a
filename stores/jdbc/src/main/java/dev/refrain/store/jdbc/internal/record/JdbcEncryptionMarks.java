package dev.refrain.store.jdbc.internal.record;

import dev.refrain.store.EncryptionMarks;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnection;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import java.util.Set;
import java.util.TreeSet;

/** Marks that say under which keys payloads are encrypted: rows of the table of facts about the store. */
public record JdbcEncryptionMarks(DedicatedConnection maintenance) implements EncryptionMarks {

    private static final String PREFIX = "encryption.";

    private static final ParameterizedScript<Boolean> LIST = ParameterizedScript.script("encryption_marks");
    private static final ParameterizedScript<String> ADD =
            ParameterizedScript.<String>script("encryption_mark").text("name", mark -> PREFIX + mark);
    private static final ParameterizedScript<Byte> OTHERS =
            ParameterizedScript.<Byte>script("payloads_not_beginning_with").bytes("first", first -> new byte[] {first});

    @Override
    public Set<String> listEncryptionMarks() {
        return maintenance.read(
                "Reading the marks of encryption",
                s -> new TreeSet<>(s.run(LIST, true, c -> c.text("name").substring(PREFIX.length()))));
    }

    @Override
    public void addEncryptionMark(String mark) {
        maintenance.write("Marking the store as encrypted", s -> {
            s.run(ADD, mark, (result, columns) -> {});
            return true;
        });
    }

    @Override
    public boolean hasPayloadsNotBeginningWith(byte first) {
        return maintenance.read(
                "Looking for payloads that are not encrypted",
                s -> !s.run(OTHERS, first, c -> true).isEmpty());
    }
}
