package dev.refrain.store;

import dev.refrain.fingerprint.Fingerprint;
import dev.refrain.key.Identity;
import dev.refrain.key.RecordId;

/**
 * Work whose request is stored and that nobody runs.
 *
 * @param attempt the how manieth this is to finish it without its caller, counted from one
 */
public record Abandoned(Identity identity, RecordId id, Fingerprint fingerprint, int attempt) {}
