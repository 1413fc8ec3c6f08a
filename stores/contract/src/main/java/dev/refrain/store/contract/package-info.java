/**
 * The suites that stores pass: one for what every store must do, and one for each ability.
 *
 * <p>A new store needs a {@link dev.refrain.store.contract.StoreHarness}, which opens it empty and lets time pass on it, and a test class
 * that extends {@link dev.refrain.store.contract.StoreContract} and implements the suite of each ability that the store has: that list is
 * checked against the store. All run as tests of that one class, so {@code -Dtest=MyStoreTest} and the reports name the store. This is the
 * memory store's, whole:
 *
 * {@snippet :
 * class MemoryStoreTest extends StoreContract
 *         implements CompletionContract, ErasureContract, AuditTrailContract, CountsContract {
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
 *             public Store openSecond() {
 *                 return store; // its data lives in this process alone
 *             }
 *
 *             @Override
 *             public void advanceTime(Duration time) {
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
 *   <li>{@code advanceTime}: one statement that takes the time off every lease, expiry, first claim and beginning of an attention
 *   <li>{@code openSecond}: another store object on the same database, closed by {@code close}
 *   <li>{@code reopenAfterCrash}: the first handle is abandoned, not closed; a new one is opened, after a restart of the database
 *       where the test owns it
 *   <li>{@code simulateNewerFormat}: raises the stored format or schema version by one
 * </ul>
 *
 * <p>The suites of transactions, outbox and ledger write in transactions of the caller's: their harness is a {@link
 * dev.refrain.store.contract.TransactionalStoreHarness}.
 *
 * <p>Tests are named as sentences of the protocol. A comment that begins with "Elsewhere" names the mistake of published
 * code that the test would catch. That the suite has teeth is tested too: it is run on stores that are wrong in one way
 * each, and must catch them all.
 */
@NullMarked
package dev.refrain.store.contract;

import org.jspecify.annotations.NullMarked;
