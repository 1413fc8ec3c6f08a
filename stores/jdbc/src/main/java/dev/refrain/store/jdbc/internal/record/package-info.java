/** Claims, writes, finds and maintains records. */
@NullMarked
package dev.refrain.store.jdbc.internal.record;

import org.jspecify.annotations.NullMarked;
