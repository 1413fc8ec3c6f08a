/** The gateway's configuration: a file in YAML, checked when it is read. Every error names its setting and what that may be. */
@NullMarked
package dev.refrain.gateway.config;

import org.jspecify.annotations.NullMarked;
