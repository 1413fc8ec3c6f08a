/**
 * Work over several systems that is undone, step by step, if it cannot be finished. A {@link dev.refrain.saga.Saga} is a flow whose
 * points are its steps and their compensations: that it survives crashes, is finished without its caller and never does a step twice is
 * the flow's doing.
 */
@NullMarked
package dev.refrain.saga;

import org.jspecify.annotations.NullMarked;
