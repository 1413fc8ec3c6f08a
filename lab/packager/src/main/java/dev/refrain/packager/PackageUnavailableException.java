package dev.refrain.packager;

/** A package of Debian that is neither kept here nor to be had from the mirror. */
final class PackageUnavailableException extends PackagingException {

    PackageUnavailableException(String message) {
        super(message);
    }
}
