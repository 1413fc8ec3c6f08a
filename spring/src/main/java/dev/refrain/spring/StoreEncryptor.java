package dev.refrain.spring;

import dev.refrain.store.Store;

/** Encrypts a store with the application's key ring. A bean where there is one. */
interface StoreEncryptor {

    /** Returns where the keys come from, as the beginning of a sentence. */
    String keys();

    /** @throws IllegalArgumentException if this ring cannot be used in that store */
    StoreEncryption around(Store store);
}
