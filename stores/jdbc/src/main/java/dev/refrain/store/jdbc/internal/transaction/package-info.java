/** Transactional operations and phases: key lock, work and outcome in one transaction. */
@NullMarked
package dev.refrain.store.jdbc.internal.transaction;

import org.jspecify.annotations.NullMarked;
