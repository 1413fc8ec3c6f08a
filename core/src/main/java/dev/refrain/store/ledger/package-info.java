/** What was sent to another system and what its ledger shows, side by side. An ability that a store may have beside its records. */
@NullMarked
package dev.refrain.store.ledger;

import org.jspecify.annotations.NullMarked;
