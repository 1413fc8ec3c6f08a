package dev.refrain.demo;
/** The two ways that the shop takes an order. */
enum CheckoutVariant {
    PROTECTED("/orders"),
    UNPROTECTED("/unprotected/orders");

    private final String path;

    CheckoutVariant(String path) {
        this.path = path;
    }

    String path() {
        return path;
    }
}
