/** Routes and their policies: the settings of each protected route. */
@NullMarked
package dev.refrain.http;

import org.jspecify.annotations.NullMarked;
