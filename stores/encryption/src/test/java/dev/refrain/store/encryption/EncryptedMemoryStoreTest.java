package dev.refrain.store.encryption;

import dev.refrain.store.contract.AuditTrailContract;
import dev.refrain.store.contract.CompletionContract;
import dev.refrain.store.contract.CountsContract;
import dev.refrain.store.contract.ErasureContract;
import dev.refrain.store.contract.KeptRequestContract;
import dev.refrain.store.contract.MemoryStoreHarness;
import dev.refrain.store.contract.StoreContract;
import dev.refrain.store.contract.StoreHarness;

/** Encryption changes what is stored, and nothing of what a store promises. */
class EncryptedMemoryStoreTest extends StoreContract
        implements CompletionContract, ErasureContract, AuditTrailContract, CountsContract, KeptRequestContract {

    private static final EncryptionKeyRing RING = EncryptionKeyRing.of("2026-01", new byte[32]);

    @Override
    protected StoreHarness newHarness() {
        return new MemoryStoreHarness(store -> EncryptingStore.around(store, RING));
    }
}
