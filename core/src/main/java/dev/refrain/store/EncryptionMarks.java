package dev.refrain.store;

import java.util.Set;

/**
 * Store ability: remembers under which keys its payloads are encrypted, so that an instance or a tool without the key ring is refused
 * before it writes a payload that the others cannot read.
 *
 * <p>A mark is a short text without secrets; the store gives it no meaning. Marks are never removed by Refrain. Thread-safe; failures are
 * {@link StoreException}s.
 */
public interface EncryptionMarks {

    /** Returns all marks; none if nothing was ever encrypted here. */
    Set<String> listEncryptionMarks();

    /** Adds a mark, durably. Does nothing if it is there already. */
    void addEncryptionMark(String mark);

    /**
     * Returns true if a payload is stored that does not begin with this byte, with which everything encrypted begins. Examines a bounded
     * number of payloads of each kind.
     */
    boolean hasPayloadsNotBeginningWith(byte first);
}
