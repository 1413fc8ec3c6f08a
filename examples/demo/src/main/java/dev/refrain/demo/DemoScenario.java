package dev.refrain.demo;
/** Something that goes wrong between a customer, a shop and a bank, in the order in which it is shown. */
enum DemoScenario {
    CLICKS("Pay is clicked three times", "201 ×3"),
    HANG_UP("The client hangs up after the charge, and retries", "no answer, 201"),
    LOST("The bank's answer to the shop is lost; a retry", "503, 201"),
    KILL("The shop is killed after the charge; no retry", "no answer"),
    AMOUNT("Another amount under the same key", "201, 422"),
    CROWD("A hundred at once under one key", "201 ×100");

    private final String deed;
    private final String expected;

    DemoScenario(String deed, String expected) {
        this.deed = deed;
        this.expected = expected;
    }

    String deed() {
        return deed;
    }

    /** What a protected client sees. */
    String expected() {
        return expected;
    }
}
