package dev.refrain.verify;
/** What was to be verified is not said rightly. The message is a sentence for the user. */
public final class InvalidVerifySettingsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InvalidVerifySettingsException(String message) {
        super(message);
    }
}
