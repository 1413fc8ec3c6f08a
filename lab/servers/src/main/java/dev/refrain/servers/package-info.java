/**
 * Real servers for tests, trials and the bench: started from Maven artifacts, killed for real, gone afterwards. Not
 * meant for production.
 */
@NullMarked
package dev.refrain.servers;

import org.jspecify.annotations.NullMarked;
