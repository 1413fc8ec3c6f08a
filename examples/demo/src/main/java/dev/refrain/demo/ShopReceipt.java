package dev.refrain.demo;
/** Receipt for a paid order: the order and the bank's charge. */
record ShopReceipt(String order, String charge) {}
