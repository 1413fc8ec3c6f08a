/** Command line of Refrain: parses arguments, runs commands, and maps failures to one line and an exit code. */
@NullMarked
package dev.refrain.cli;

import org.jspecify.annotations.NullMarked;
