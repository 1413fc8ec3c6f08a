/** Creates and checks the tables of the store. */
@NullMarked
package dev.refrain.store.jdbc.internal.schema;

import org.jspecify.annotations.NullMarked;
