package dev.refrain.demo;
/**
 * What a customer wants to pay.
 *
 * @param name by which the shop and the bank are asked about it
 */
record ShopOrder(String name, long amount) {}
