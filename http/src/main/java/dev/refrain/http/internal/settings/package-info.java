/**
 * Settings as people write them in properties and YAML; this package turns them into policies, and every error names its setting.
 */
@NullMarked
package dev.refrain.http.internal.settings;

import org.jspecify.annotations.NullMarked;
