package dev.refrain.http.client;
/** Thrown when another thread or process is sending this request, or has just completed it. This call sent nothing. */
public final class ConcurrentSendException extends RefrainClientException {
    private static final long serialVersionUID = 1L;

    ConcurrentSendException(String key) {
        super(
                key,
                "another thread or process is sending this request, or has just completed it. Nothing was sent by "
                        + "this call.",
                null);
    }
}
