package dev.refrain.http.client;
/** Another thread or process is sending this intent, or it was answered meanwhile. Nothing was sent by this call. */
public final class ConcurrentSendException extends RefrainClientException {
    private static final long serialVersionUID = 1L;

    ConcurrentSendException(String key) {
        super(key, "it is being sent elsewhere, or was answered there. Nothing was sent by this call.", null);
    }
}
