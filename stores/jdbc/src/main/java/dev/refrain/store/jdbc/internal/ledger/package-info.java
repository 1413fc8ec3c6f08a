/** Expected and reported ledger entries, and their differences. */
@NullMarked
package dev.refrain.store.jdbc.internal.ledger;

import org.jspecify.annotations.NullMarked;
