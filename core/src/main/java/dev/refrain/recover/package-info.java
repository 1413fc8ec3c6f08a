/** Last step: what brings abandoned, expired and doubtful records to an end. */
@NullMarked
package dev.refrain.recover;

import org.jspecify.annotations.NullMarked;
