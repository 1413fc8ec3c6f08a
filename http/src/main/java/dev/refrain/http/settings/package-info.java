/** Settings as people write them, in properties and in YAML alike: words become policies here, and every error names its setting. */
@NullMarked
package dev.refrain.http.settings;

import org.jspecify.annotations.NullMarked;
