/** Routes and their policies: what an application configures for each protected route. */
@NullMarked
package dev.refrain.http;

import org.jspecify.annotations.NullMarked;
