package dev.refrain.internal.fingerprint;
/** What a body was taken for. The tag is part of the encoding: to change one is to raise the version. */
enum DigestedBodyKind {
    EMPTY('0'),
    BYTES('B'),
    JSON('J'),
    JSON_BYTES('j'),
    FORM('F'),
    FORM_BYTES('f'),
    MULTIPART('M'),
    MULTIPART_BYTES('m');

    private final char tag;

    DigestedBodyKind(char tag) {
        this.tag = tag;
    }

    char tag() {
        return tag;
    }
}
