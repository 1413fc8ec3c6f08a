/**
 * SPI for stores: implement {@link dev.refrain.store.Store} and any {@link dev.refrain.store.StoreAbility} beside it. It may still change with a minor
 * version, until several kinds of stores stand on it.
 */
@Incubating
@NullMarked
package dev.refrain.store;

import dev.refrain.api.Incubating;
import org.jspecify.annotations.NullMarked;
