package dev.refrain.store.dynamodb;

import dev.refrain.api.KeyHash;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.cas.RecordRow;
import dev.refrain.store.cas.RecordTable.ListPosition;
import dev.refrain.store.cas.RecordTable.TableReply;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Items of the table. A record is one item: its values under their own names, the revision, and attributes that only the indexes and the time to live
 * read, which a record that is not listed lacks.
 */
final class DynamoDbItems {

    static final String PARTITION_KEY = "pk";
    static final String REVISION = "rev";
    static final String TIME_TO_LIVE = "ttl";

    /** Index of unfinished records and of the audit trail. */
    static final String LISTS = "lists";

    static final String LIST = "list";
    static final String LISTED_SINCE = "listedSince";

    /** Index of the records of each scope. */
    static final String SCOPES = "scopes";

    static final String SCOPE_SHARD = "scopeShard";

    /** Parts of a list or a scope, since one partition of an index takes a thousand writes a second. */
    static final int SHARDS = 16;

    static final String RECORD_PREFIX = "record#";

    /** The most that an item may have, names included. */
    static final int MAX_ITEM_BYTES = 400 * 1024;

    private static final HexFormat HEX = HexFormat.of();
    private static final int LOOKUP_DIGITS = 32;

    private DynamoDbItems() {}

    static Map<String, AttributeValue> key(KeyHash lookup) {
        return Map.of(PARTITION_KEY, text(RECORD_PREFIX + hex(lookup)));
    }

    static AttributeValue text(String value) {
        return AttributeValue.fromS(value);
    }

    static String hex(KeyHash lookup) {
        return HEX.toHexDigits(lookup.high()) + HEX.toHexDigits(lookup.low());
    }

    static KeyHash lookup(String hex) {
        return new KeyHash(
                HexFormat.fromHexDigitsToLong(hex, 0, LOOKUP_DIGITS / 2),
                HexFormat.fromHexDigitsToLong(hex, LOOKUP_DIGITS / 2, LOOKUP_DIGITS));
    }

    static KeyHash lookupOf(Map<String, AttributeValue> item) {
        return lookup(textOf(item, PARTITION_KEY).substring(RECORD_PREFIX.length()));
    }

    /** Returns an attribute that every record has. */
    static String textOf(Map<String, AttributeValue> item, String name) {
        var value = item.get(name);
        if (value == null || value.s() == null) {
            throw RowRejectedException.badData(
                    "An item has no attribute \"" + name + "\": something else than Refrain wrote it.", null);
        }
        return value.s();
    }

    static int shardOf(KeyHash lookup) {
        return (int) (lookup.low() & (SHARDS - 1));
    }

    /** Returns the partition of the index that lists records; those in attention are few and have an order, so they have one partition. */
    static String listOf(RecordRow.RecordList list, int shard) {
        return list == RecordRow.RecordList.RUNNING ? list + "#" + shard : list.name();
    }

    static String scopeShard(String scope, int shard) {
        return shard + "#" + scope;
    }

    /** Returns a text that sorts by moment and then by lookup. */
    static String position(Instant since, KeyHash lookup) {
        return moment(since) + "#" + hex(lookup);
    }

    static String moment(Instant since) {
        return String.format(Locale.ROOT, "%019d", ChronoUnit.MICROS.between(Instant.EPOCH, since));
    }

    static ListPosition position(String text) {
        int end = text.indexOf('#');
        return new ListPosition(
                lookup(text.substring(end + 1)),
                Instant.EPOCH.plus(Long.parseLong(text.substring(0, end)), ChronoUnit.MICROS));
    }

    static Map<String, AttributeValue> item(RecordRow row) {
        var item = new HashMap<String, AttributeValue>();
        row.values().forEach((name, value) -> item.put(name, attribute(value)));
        item.putAll(key(row.lookup()));
        item.put(REVISION, text(row.revision()));
        int shard = shardOf(row.lookup());
        row.listing().ifPresent(listing -> {
            item.put(LIST, text(listOf(listing.list(), shard)));
            item.put(LISTED_SINCE, text(position(listing.since(), row.lookup())));
        });
        row.scope().ifPresent(scope -> item.put(SCOPE_SHARD, text(scopeShard(scope, shard))));
        row.removableFrom()
                .ifPresent(
                        from -> item.put(TIME_TO_LIVE, AttributeValue.fromN(Long.toString(from.getEpochSecond() + 1))));
        requireFits(item);
        return item;
    }

    private static void requireFits(Map<String, AttributeValue> item) {
        int size = item.entrySet().stream()
                .mapToInt(entry -> bytes(entry.getKey()) + size(entry.getValue()))
                .sum();
        if (size > MAX_ITEM_BYTES) {
            throw RowRejectedException.badData(
                    "The record has " + size + " bytes, but DynamoDB stores at most " + MAX_ITEM_BYTES
                            + " in one item. Make the request or the outcome smaller, or use another store for this operation.",
                    null);
        }
    }

    /** As DynamoDB counts, or a little more. */
    private static int size(AttributeValue value) {
        return switch (value.type()) {
            case S -> bytes(value.s());
            case N -> value.n().length() + 1;
            case B -> value.b().asByteArrayUnsafe().length;
            case L -> value.l().stream().mapToInt(part -> size(part) + 1).sum() + 3;
            default -> 0;
        };
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static AttributeValue attribute(Object value) {
        return switch (value) {
            case String text -> AttributeValue.fromS(text);
            case Long number -> AttributeValue.fromN(number.toString());
            case byte[] bytes -> AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(bytes));
            case List<?> list ->
                AttributeValue.fromL(list.stream().map(DynamoDbItems::attribute).toList());
            default -> throw new IllegalArgumentException("No attribute for " + value.getClass());
        };
    }

    static TableReply present(Map<String, AttributeValue> item) {
        return new TableReply.Present(textOf(item, REVISION), values(item));
    }

    static Map<String, Object> values(Map<String, AttributeValue> item) {
        var values = new TreeMap<String, Object>();
        item.forEach((name, value) -> values.put(name, plain(value)));
        List.of(PARTITION_KEY, REVISION, LIST, LISTED_SINCE, SCOPE_SHARD, TIME_TO_LIVE)
                .forEach(values::remove);
        return values;
    }

    private static Object plain(AttributeValue value) {
        return switch (value.type()) {
            case S -> value.s();
            case N -> Long.valueOf(value.n());
            case B -> value.b().asByteArrayUnsafe();
            case L -> value.l().stream().map(DynamoDbItems::plain).toList();
            default -> value.toString();
        };
    }

    static String newKey(String prefix) {
        return prefix + UUID.randomUUID();
    }
}
