package dev.refrain.api;
/**
 * Last committed phase of a record, and whether the call that belongs to it may have been sent.
 *
 * @param name of the phase that runs next; it does not end in an exclamation mark, which older versions wrote behind the name of a point
 *     whose call was announced
 */
public record RecoveryPoint(String name, CallState call) {

    /** State of the call to another system that a recovery point belongs to. */
    public enum CallState {
        /** Nothing was sent, or there is nothing to send. */
        NOT_SENT,
        /** It was announced: from then on it may have been sent, and may have taken effect. */
        MAY_BE_SENT
    }

    public RecoveryPoint {
        if (name.endsWith("!")) {
            throw new IllegalArgumentException("The recovery point " + name
                    + " ends in '!', which marks announced calls in stored records. Use another name.");
        }
    }

    /** Returns a point of whose call nothing was sent. */
    public static RecoveryPoint reached(String name) {
        return new RecoveryPoint(name, CallState.NOT_SENT);
    }

    /** Returns a point whose call is announced. */
    public static RecoveryPoint withCallAnnounced(String name) {
        return new RecoveryPoint(name, CallState.MAY_BE_SENT);
    }

    public boolean callMayBeSent() {
        return call == CallState.MAY_BE_SENT;
    }

    /** Returns the same point once somebody has found out that its call was not sent. */
    public RecoveryPoint withoutCall() {
        return reached(name);
    }
}
