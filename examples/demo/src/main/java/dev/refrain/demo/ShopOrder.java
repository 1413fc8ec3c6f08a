package dev.refrain.demo;
/**
 * Order of a customer.
 *
 * @param name the name under which the shop and the bank know it; also its idempotency key
 */
record ShopOrder(String name, long amount) {}
