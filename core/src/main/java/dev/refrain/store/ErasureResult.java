package dev.refrain.store;
/**
 * Result of one {@link RecordEraser#erase}.
 *
 * @param erased records whose contents were erased
 * @param leftInUse records in progress, in attention or between two phases: erase again once they are settled
 * @param hasMore whether the limit was reached: erase again
 * @param messages delivered messages that were deleted; waiting ones and dead letters are left
 * @param ledgerEntries entries of ledgers that lost their record, point, scope and subject; those that do not agree yet are left
 */
public record ErasureResult(
        int erased, int leftInUse, boolean hasMore, RelatedRows messages, RelatedRows ledgerEntries) {

    /** Rows beside records. */
    public record RelatedRows(int erased, int leftInUse) {

        /** No rows. */
        public static final RelatedRows NONE = new RelatedRows(0, 0);

        RelatedRows plusErased(int more) {
            return new RelatedRows(erased + more, leftInUse);
        }
    }

    /** Result of a store that keeps neither messages nor ledger entries. */
    public ErasureResult(int erased, int leftInUse, boolean hasMore) {
        this(erased, leftInUse, hasMore, RelatedRows.NONE, RelatedRows.NONE);
    }

    /** Returns the result of an erasure in steps: this was the last one, and {@code before} what came before it. */
    public ErasureResult after(ErasureResult before) {
        return new ErasureResult(
                erased + before.erased,
                leftInUse,
                hasMore,
                messages.plusErased(before.messages.erased()),
                ledgerEntries.plusErased(before.ledgerEntries.erased()));
    }

    /** Returns everything that was left in use, of whatever kind. */
    public int allLeftInUse() {
        return leftInUse + messages.leftInUse() + ledgerEntries.leftInUse();
    }
}
