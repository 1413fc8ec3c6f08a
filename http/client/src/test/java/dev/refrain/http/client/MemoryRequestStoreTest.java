package dev.refrain.http.client;
/** Contract of the store in memory. */
class MemoryRequestStoreTest extends PendingRequestStoreContract {

    private final PendingRequestStore intents = PendingRequestStore.inMemory();

    @Override
    PendingRequestStore intents() {
        return intents;
    }
}
