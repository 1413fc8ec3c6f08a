/** Protection for any servlet container, as a filter. */
@NullMarked
package dev.refrain.http.servlet;

import org.jspecify.annotations.NullMarked;
