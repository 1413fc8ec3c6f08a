/** Servlet filter that protects the routes of an application in any servlet container. */
@NullMarked
package dev.refrain.http.servlet;

import org.jspecify.annotations.NullMarked;
