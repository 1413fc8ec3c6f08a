package dev.refrain.store.redis;

import dev.refrain.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a script returned, a list of texts and bytes, or why it did not. */
record ScriptReply(List<byte[]> parts, @Nullable StoreException failure) {

    static ScriptReply of(@Nullable Object returned) {
        var parts = new ArrayList<byte[]>();
        if (returned instanceof List<?> list) {
            for (Object part : list) {
                parts.add(part instanceof byte[] bytes ? bytes : new byte[0]);
            }
        }
        return new ScriptReply(parts, null);
    }

    static ScriptReply failed(StoreException failure) {
        return new ScriptReply(List.of(), failure);
    }

    /** Returns this reply, and throws if there is none. */
    ScriptReply orThrow() {
        if (failure != null) {
            throw failure;
        }
        return this;
    }

    String kind() {
        return text(0);
    }

    String text(int part) {
        return new String(parts.get(part), StandardCharsets.UTF_8);
    }

    long number(int part) {
        return Long.parseLong(text(part));
    }
}
