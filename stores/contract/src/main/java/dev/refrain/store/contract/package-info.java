/**
 * The suite that every store passes.
 *
 * <p>A new store needs a {@link dev.refrain.store.contract.StoreHarness}, which opens it empty and lets time pass on it, and
 * a test class that extends {@link dev.refrain.store.contract.StoreContract}. All topics run as tests of that one class, so
 * {@code -Dtest=MyStoreTest} and the reports name the store. This is the memory store's, whole:
 *
 * {@snippet :
 * class MemoryStoreTest extends StoreContract {
 *
 *     @Override
 *     protected StoreHarness newHarness() {
 *         return new StoreHarness() {
 *             private Instant now = Instant.parse("2026-01-01T00:00:00Z");
 *             private final Store store = new MemoryStore(() -> now);
 *
 *             @Override
 *             public Store open() {
 *                 return store;
 *             }
 *
 *             @Override
 *             public Store second() {
 *                 return store; // its data lives in this process alone
 *             }
 *
 *             @Override
 *             public void letPass(Duration time) {
 *                 now = now.plus(time);
 *             }
 *
 *             @Override
 *             public void close() {
 *                 store.close();
 *             }
 *         };
 *     }
 * }
 * }
 *
 * <p>A store in a database has no clock to move. Its harness ages what is stored, gives a second handle, and survives:
 *
 * <ul>
 *   <li>{@code letPass}: one statement that takes the time off every lease, expiry, first claim and beginning of an attention
 *   <li>{@code second}: another store object on the same database, closed by {@code close}
 *   <li>{@code reopen}: the first handle is abandoned, not closed; a new one is opened, after a restart of the database
 *       where the test owns it
 *   <li>{@code pretendLaterFormat}: raises the stored format or schema version by one
 * </ul>
 *
 * <p>Tests are named as sentences of the protocol. A comment that begins with "Elsewhere" names the mistake of published
 * code that the test would catch. That the suite has teeth is tested too: it is run on stores that are wrong in one way
 * each, and must catch them all.
 */
@NullMarked
package dev.refrain.store.contract;

import org.jspecify.annotations.NullMarked;
