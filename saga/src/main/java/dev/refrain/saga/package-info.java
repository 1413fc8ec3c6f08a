/**
 * Work over several systems that is compensated, step by step, if it cannot be finished. A {@link dev.refrain.saga.Saga} is a flow whose points
 * are its steps and their compensations, so it survives crashes, is completed without its caller, and never runs a committed step twice.
 */
@NullMarked
package dev.refrain.saga;

import org.jspecify.annotations.NullMarked;
