package dev.refrain.demo;
/**
 * Entry in the bank's ledger.
 *
 * @param key the idempotency key of the request; empty if it had none
 */
record BankCharge(String id, ShopOrder order, String key) {}
