/**
 * Parts that stores share whose database changes one record at a time by compare and set: the state machine of a record, which the
 * in-memory store uses too, and a whole store on top of a table of such records.
 */
@NullMarked
package dev.refrain.store.cas;

import org.jspecify.annotations.NullMarked;
