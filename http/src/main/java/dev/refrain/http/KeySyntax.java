package dev.refrain.http;
/** Which forms of a key header are taken. */
public enum KeySyntax {
    /** A structured string, {@code "abc"}, or the bare form, {@code abc}: both are the same key. */
    LENIENT,

    /** A structured string (RFC 9651) and nothing else, as the draft standard says. */
    STRICT
}
