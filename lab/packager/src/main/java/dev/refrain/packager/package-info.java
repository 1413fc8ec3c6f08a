/** Makes what is installed of a release, archives and a container image, and checks that it runs. */
@NullMarked
package dev.refrain.packager;

import org.jspecify.annotations.NullMarked;
