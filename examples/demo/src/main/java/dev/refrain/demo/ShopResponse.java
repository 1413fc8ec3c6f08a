package dev.refrain.demo;
/**
 * What a customer was told.
 *
 * @param status 0 if there was no answer
 */
record ShopResponse(int status, String body) {

    static final ShopResponse NONE = new ShopResponse(0, "");

    boolean isReceipt() {
        return status == 201;
    }

    String told() {
        return status == 0 ? "no answer" : Integer.toString(status);
    }
}
