package dev.refrain.demo;
/** The two ways in which the shop handles an order. */
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
