package dev.refrain.demo;
/** What a customer gets for the money: which order, and which charge at the bank. */
record ShopReceipt(String order, String charge) {}
