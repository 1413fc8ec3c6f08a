package dev.refrain.demo;
/**
 * One line in the bank's ledger.
 *
 * @param key that it came with; empty if it came without
 */
record BankCharge(String id, ShopOrder order, String key) {}
