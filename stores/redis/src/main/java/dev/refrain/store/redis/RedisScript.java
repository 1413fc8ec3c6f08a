package dev.refrain.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** Scripts of the store, each with the text that all of them share in front. */
enum RedisScript {
    CLAIM(""),
    /** Work that was done is recorded even when the server is out of memory; only new claims are refused then. */
    WRITE("#!lua flags=allow-oom\n"),
    READ(""),
    DUE("#!lua flags=allow-oom\n"),
    AFTER(""),
    SWEEP("#!lua flags=allow-oom\n"),
    REAP("#!lua flags=allow-oom\n"),
    RESOLVE("#!lua flags=allow-oom\n"),
    AUDIT("#!lua flags=allow-oom\n"),
    ERASE("#!lua flags=allow-oom\n"),
    CENSUS(""),
    STEPS(""),
    MEMBERS(""),
    /** An instance starts, and replays, on a server that is out of memory. */
    MARK("#!lua flags=allow-oom\n"),
    OTHERS(""),
    CARD(""),
    TRAIL(""),
    SCAN("");

    private final String text;
    private final String digest;

    RedisScript(String head) {
        text = head + read("common") + read(name().toLowerCase(Locale.ROOT));
        try {
            digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(RedisKeys.utf8(text)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-1.", e);
        }
    }

    byte[] text() {
        return RedisKeys.utf8(text);
    }

    /** Returns the digest by which a server knows a script that it has seen. */
    byte[] digest() {
        return RedisKeys.utf8(digest);
    }

    private static String read(String name) {
        try (InputStream file = RedisScript.class.getResourceAsStream(name + ".lua")) {
            if (file == null) {
                throw new IllegalStateException("The script " + name + ".lua is missing from the jar.");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read " + name + ".lua", e);
        }
    }
}
