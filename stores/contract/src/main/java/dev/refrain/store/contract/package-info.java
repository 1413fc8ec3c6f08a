/**
 * Test suites for authors of stores: one that every store must pass, and one for each optional ability.
 *
 * <p>A new store needs a {@link dev.refrain.store.contract.StoreHarness}, which opens it empty and lets time pass on it, and a test
 * class that extends {@link dev.refrain.store.contract.StoreContract} and implements the suite of each ability that the store has;
 * that list is checked against the store. All suites run as tests of that one class, so {@code -Dtest=MyStoreTest} and the reports
 * name the store. This is the complete test of the memory store:
 *
 * {@snippet :
 * class MemoryStoreTest extends StoreContract
 *         implements CompletionContract, ErasureContract, AuditTrailContract, CountsContract, KeptRequestContract {
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
 * <p>A store in a database has no clock to move. Its harness ages the stored data, opens a second handle and simulates a crash:
 *
 * <ul>
 *   <li>{@code advanceTime}: one statement subtracts the time from every lease, expiry, first claim and start of attention
 *   <li>{@code openSecond}: another store object on the same database, closed by {@code close}
 *   <li>{@code reopenAfterCrash}: the first handle is abandoned, not closed; a new one is opened, after a restart of the database
 *       where the test owns it
 *   <li>{@code simulateNewerFormat}: raises the stored format or schema version by one
 * </ul>
 *
 * <p>The suites of transactions, outbox and ledger write in the caller's transactions: their harness is a {@link
 * dev.refrain.store.contract.TransactionalStoreHarness}.
 *
 * <p>Tests are named as sentences of the protocol. A comment that begins with "Elsewhere" names a mistake of published code that
 * the test would catch. The suite itself is tested too: it must catch every one of a set of stores that are wrong in one way each.
 */
@NullMarked
package dev.refrain.store.contract;

import org.jspecify.annotations.NullMarked;
