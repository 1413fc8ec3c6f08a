/** Configuration of the gateway: a YAML file, validated when it is read. Every error names its setting and the allowed values. */
@NullMarked
package dev.refrain.gateway.internal.config;

import org.jspecify.annotations.NullMarked;
