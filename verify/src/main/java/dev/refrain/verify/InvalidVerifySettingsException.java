package dev.refrain.verify;
/** Thrown when the settings of a verification are invalid. The message tells the user what to change. */
public final class InvalidVerifySettingsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InvalidVerifySettingsException(String message) {
        super(message);
    }
}
