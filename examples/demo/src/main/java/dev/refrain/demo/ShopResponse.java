package dev.refrain.demo;
/**
 * Response of the shop.
 *
 * @param status the HTTP status; 0 if there was no response
 */
record ShopResponse(int status, String body) {

    static final ShopResponse NONE = new ShopResponse(0, "");

    boolean isReceipt() {
        return status == 201;
    }

    String statusText() {
        return status == 0 ? "no response" : Integer.toString(status);
    }
}
