/** Store ability for reconciliation: compares what was sent to another system with the entries of its ledger. */
@Incubating
@NullMarked
package dev.refrain.store.ledger;

import dev.refrain.api.Incubating;
import org.jspecify.annotations.NullMarked;
