/** Published contract of all routes: an HTML page for people, JSON and OpenAPI for machines. */
@NullMarked
package dev.refrain.http.contract;

import org.jspecify.annotations.NullMarked;
