/**
 * Web pages for people: what happens, one key's story, what waits for a decision. {@link dev.refrain.console.OperatorConsole} answers requests and
 * knows no server; {@link dev.refrain.console.ConsoleServer} puts it on a port of its own.
 */
@NullMarked
package dev.refrain.console;

import org.jspecify.annotations.NullMarked;
