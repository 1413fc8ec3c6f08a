package dev.refrain.store.contract;

import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.KeyRing;

/** Encryption changes what is stored, and nothing of what a store promises. */
class EncryptedMemoryStoreTest extends StoreContract {

    private static final KeyRing RING = KeyRing.of("2026-01", new byte[32]);

    @Override
    protected StoreHarness newHarness() {
        return new MemoryHarness(store -> EncryptingStore.around(store, RING));
    }
}
