package dev.refrain.http.cases;
/** Ways in which a handler writes its response. */
public enum HandlerResponseStyle {
    /** Bytes, written at once. */
    STREAM,
    /** Text through a writer, in UTF-8. */
    WRITER,
    /** Single bytes, flushed and committed early, with headers set too late. */
    FLUSHED,
    /** Error sent by the framework's own means. */
    ERROR,
    /** Exception thrown by the handler. */
    THROWN,
    /** {@link Error} thrown by the handler. */
    BROKEN,
    /** Asynchronous response, completed on another thread. */
    ASYNC,
    /** Asynchronous response, dispatched back to the container. */
    ASYNC_DISPATCH;

    /** Returns whether the handler itself writes the response that clients read. */
    boolean answers() {
        return this != ERROR && this != THROWN && this != BROKEN;
    }
}
