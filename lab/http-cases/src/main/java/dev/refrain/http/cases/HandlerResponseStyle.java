package dev.refrain.http.cases;
/** The ways in which a handler gives its answer. */
public enum HandlerResponseStyle {
    /** As bytes, at once. */
    STREAM,
    /** As text through a writer, in UTF-8. */
    WRITER,
    /** Byte by byte, flushed and committed early, with headers set too late. */
    FLUSHED,
    /** By the framework's own way to send an error. */
    ERROR,
    /** By an exception. */
    THROWN,
    /** By an error of the machine's own kind, which is no exception. */
    BROKEN,
    /** Asynchronously, completed on another thread. */
    ASYNC,
    /** Asynchronously, dispatched back to the container. */
    ASYNC_DISPATCH;

    /** Whether the handler itself writes what is read in the end. */
    boolean answers() {
        return this != ERROR && this != THROWN && this != BROKEN;
    }
}
