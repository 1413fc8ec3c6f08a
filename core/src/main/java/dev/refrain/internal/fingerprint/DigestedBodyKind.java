package dev.refrain.internal.fingerprint;
/** Kind as which a body was digested. The tag is part of the encoding: changing one requires a new version. */
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
