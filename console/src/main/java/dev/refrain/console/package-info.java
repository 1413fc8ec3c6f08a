/**
 * Web console for operators: current activity, single keys, and keys that need a decision. {@link
 * dev.refrain.console.OperatorConsole} handles requests and is independent of any server; {@link
 * dev.refrain.console.ConsoleServer} serves it on its own port.
 */
@NullMarked
package dev.refrain.console;

import org.jspecify.annotations.NullMarked;
