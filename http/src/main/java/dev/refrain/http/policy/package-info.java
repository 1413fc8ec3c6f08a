/** What holds for a route: settings, checked when they are made. */
@NullMarked
package dev.refrain.http.policy;

import org.jspecify.annotations.NullMarked;
