package dev.refrain.demo;

/** The two ways that the shop takes an order. */
enum Side {
    PROTECTED("/orders"),
    UNPROTECTED("/unprotected/orders");

    private final String path;

    Side(String path) {
        this.path = path;
    }

    String path() {
        return path;
    }
}
