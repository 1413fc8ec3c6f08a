/**
 * Values, exceptions and interfaces that applications, stores and the engine share. Lies below {@code dev.refrain.store} and uses neither
 * that nor the front door: a store throws and names what an application catches and reads.
 */
@NullMarked
package dev.refrain.api;

import org.jspecify.annotations.NullMarked;
