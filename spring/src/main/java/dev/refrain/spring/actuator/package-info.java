/** Actuator endpoint, health, metrics and observations. */
@NullMarked
package dev.refrain.spring.actuator;

import org.jspecify.annotations.NullMarked;
