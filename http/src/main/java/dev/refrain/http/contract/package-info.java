/** What the product says about itself: the contract of every route, for people and for machines. */
@NullMarked
package dev.refrain.http.contract;

import org.jspecify.annotations.NullMarked;
