/** Store on Redis or Valkey: standalone, Sentinel or Cluster. */
@NullMarked
package dev.refrain.store.redis;

import org.jspecify.annotations.NullMarked;
