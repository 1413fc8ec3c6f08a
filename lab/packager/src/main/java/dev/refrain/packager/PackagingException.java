package dev.refrain.packager;

/** Something that must not be released, with what to do about it. */
class PackagingException extends RuntimeException {

    PackagingException(String message) {
        super(message);
    }
}
