/** The command line: translates arguments into calls and failures into one sentence and an exit code. */
@NullMarked
package dev.refrain.cli;

import org.jspecify.annotations.NullMarked;
