package dev.refrain.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One call of a script. */
record ScriptCall(RedisScript script, List<byte[]> keys, List<byte[]> arguments) {

    private static final byte PRESENT = 1;

    static Builder of(RedisScript script, List<byte[]> keys) {
        return new Builder(script, keys);
    }

    /** Collects the arguments of a call in their order. Not thread-safe. */
    static final class Builder {

        private final RedisScript script;
        private final List<byte[]> keys;
        private final List<byte[]> arguments = new ArrayList<>();

        private Builder(RedisScript script, List<byte[]> keys) {
            this.script = script;
            this.keys = keys;
        }

        Builder text(String value) {
            arguments.add(RedisKeys.utf8(value));
            return this;
        }

        Builder bytes(byte[] value) {
            arguments.add(value);
            return this;
        }

        Builder number(long value) {
            return text(Long.toString(value));
        }

        Builder micros(Duration time) {
            return number(RedisTimes.micros(time));
        }

        /** Adds a value that may be absent: a byte in front says that it is there. */
        Builder optionalBytes(Optional<byte[]> value) {
            arguments.add(value.map(Builder::marked).orElseGet(() -> new byte[0]));
            return this;
        }

        Builder optional(Optional<String> value) {
            return optionalBytes(value.map(RedisKeys::utf8));
        }

        ScriptCall build() {
            return new ScriptCall(script, keys, arguments);
        }

        private static byte[] marked(byte[] value) {
            var with = new byte[value.length + 1];
            with[0] = PRESENT;
            System.arraycopy(value, 0, with, 1, value.length);
            return with;
        }
    }
}
