package dev.refrain.store.redis;

import dev.refrain.store.EncryptionMarks;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Marks that say under which keys payloads are encrypted: a set beside the records. Payloads are looked for where an index lists their records,
 * which leaves out what is kept for ever. Thread-safe.
 */
record RedisEncryptionMarks(RedisKeys keys, RedisScriptConnection connection) implements EncryptionMarks {

    /** Records of each index of a partition: about a thousand of all partitions. */
    private static final int EXAMINED = 16;

    @Override
    public Set<String> listEncryptionMarks() {
        return connection
                .call(
                        "Reading the marks of encryption",
                        ScriptCall.of(RedisScript.MEMBERS, List.of(keys.encryptionMarks()))
                                .build())
                .parts()
                .stream()
                .map(mark -> new String(mark, StandardCharsets.UTF_8))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public void addEncryptionMark(String mark) {
        var unused = connection.call(
                "Marking the store as encrypted",
                ScriptCall.of(RedisScript.MARK, List.of(keys.encryptionMarks()))
                        .text(mark)
                        .build());
    }

    @Override
    public boolean hasPayloadsNotBeginningWith(byte first) {
        return connection
                .callAll(
                        "Looking for payloads that are not encrypted",
                        IntStream.range(0, RedisKeys.PARTITIONS)
                                .mapToObj(partition -> ScriptCall.of(
                                                RedisScript.OTHERS,
                                                List.of(
                                                        keys.lease(partition),
                                                        keys.expiry(partition),
                                                        keys.attention(partition)))
                                        .bytes(new byte[] {first})
                                        .number(EXAMINED)
                                        .build())
                                .toList())
                .stream()
                .anyMatch(reply -> reply.orThrow().kind().equals("F"));
    }
}
