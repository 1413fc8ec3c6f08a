/**
 * Data that older versions wrote, and that later ones have to open: nothing lost, nothing run twice. {@link
 * dev.refrain.trials.upgrades.OldDataTestBase} loads it, {@link dev.refrain.trials.upgrades.DumpGenerationTest} adds that of one more version.
 */
@NullMarked
package dev.refrain.trials.upgrades;

import org.jspecify.annotations.NullMarked;
