package dev.refrain.outbox.jobs;

import dev.refrain.api.RefrainException;

/** Says why a job was given up. Stored as its outcome, never thrown. */
final class JobGivenUpException extends RefrainException {

    private static final long serialVersionUID = 1L;

    JobGivenUpException(String why) {
        super(why);
    }
}
