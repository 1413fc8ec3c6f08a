package dev.refrain.demo;

/**
 * What a customer wants to pay.
 *
 * @param name by which the shop and the bank are asked about it
 */
record Order(String name, long amount) {}
