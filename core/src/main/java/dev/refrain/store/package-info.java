/** The store SPI: what a store is asked, in batches, and what it answers. */
@NullMarked
package dev.refrain.store;

import org.jspecify.annotations.NullMarked;
