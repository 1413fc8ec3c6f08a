/** Runs operations, leased, transactional or in phases, and records their outcomes. */
@NullMarked
package dev.refrain.internal.run;

import org.jspecify.annotations.NullMarked;
