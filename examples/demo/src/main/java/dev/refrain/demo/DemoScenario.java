package dev.refrain.demo;
/** Failures between a customer, a shop and a bank, in the order they are shown. */
enum DemoScenario {
    CLICKS("Pay button clicked three times", "201 ×3"),
    HANG_UP("Client disconnects after the charge, then retries", "no response, 201"),
    LOST("Bank's response to the shop is lost, client retries", "503, 201"),
    KILL("Shop is killed after the charge, no retry", "no response"),
    AMOUNT("Different amount under the same key", "201, 422"),
    CROWD("100 parallel requests with one key", "201 ×100");

    private final String title;
    private final String expected;

    DemoScenario(String title, String expected) {
        this.title = title;
        this.expected = expected;
    }

    String title() {
        return title;
    }

    /** Statuses that a client of the protected shop gets. */
    String expected() {
        return expected;
    }
}
