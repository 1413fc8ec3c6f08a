/**
 * The suite that every store passes.
 *
 * <p>A new store needs a {@link dev.refrain.store.contract.StoreHarness}, which opens it empty and lets time pass on it, and
 * a test class that extends {@link dev.refrain.store.contract.StoreContract}. All topics run as tests of that class, so
 * {@code -Dtest=MyStoreTest} and the reports name the store. This one is the memory store's, whole:
 *
 * {@snippet file="dev/refrain/store/contract/MemoryStoreTest.java" region="harness"}
 *
 * <p>A store in a database has no clock to move; its harness ages what is stored, and gives two more handles:
 *
 * <pre>{@code
 * public void letPass(Duration time) {
 *     execute("UPDATE refrain_record SET lease_until = lease_until - ?, expires_at = expires_at - ?, …", time);
 * }
 * public Store second() { return JdbcStore.on(dataSource); }                 // another process
 * public Optional<Store> reopen() { server.kill(); server.start(); return Optional.of(JdbcStore.on(dataSource)); }
 * public void pretendLaterFormat() { execute("UPDATE refrain_schema SET version = version + 1"); }
 * }</pre>
 *
 * <p>Tests are named as sentences of the protocol. A comment that begins with "Elsewhere" names the mistake of published
 * code that the test would catch.
 */
@NullMarked
package dev.refrain.store.contract;

import org.jspecify.annotations.NullMarked;
