package dev.refrain.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Result of a scenario for one variant.
 *
 * @param ordered the order that the customer meant to pay
 * @param answers the responses, in the order of the requests
 * @param charges the charges in the bank's ledger
 * @param receipts the number of receipts in the shop's database
 */
record ScenarioVariantResult(ShopOrder ordered, List<ShopResponse> answers, List<BankCharge> charges, int receipts) {

    /** Summarizes the responses, for example {@code 201 ×3}. */
    String client() {
        var counts = answers.stream()
                .collect(Collectors.groupingBy(ShopResponse::statusText, LinkedHashMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + (entry.getValue() > 1 ? " ×" + entry.getValue() : ""))
                .collect(Collectors.joining(", "));
    }

    /** Summarizes the charges, for example {@code 2 charges}. */
    String bank() {
        return counted(charges.size(), "charge");
    }

    String shop() {
        return receipts == 0 ? "no receipt" : counted(receipts, "receipt");
    }

    /** Lists the violations: a double charge, a lost order, or an unexpected response. */
    List<String> violations(String expectedOfClient) {
        var violations = new ArrayList<String>();
        if (charges.size() > 1) {
            violations.add("charged " + charges.size() + " times");
        }
        if (charges.isEmpty()) {
            violations.add("never charged");
        } else if (charges.getFirst().order().amount() != ordered.amount()) {
            violations.add("wrong amount charged");
        }
        if (receipts == 0) {
            violations.add("lost, no receipt");
        }
        if (receipts > 1) {
            violations.add(receipts + " receipts");
        }
        if (answers.stream()
                        .filter(ShopResponse::isReceipt)
                        .map(ShopResponse::body)
                        .distinct()
                        .count()
                > 1) {
            violations.add("the client got different receipts");
        }
        if (!client().equals(expectedOfClient)) {
            violations.add("the client got " + client() + " instead of " + expectedOfClient);
        }
        return violations;
    }

    private static String counted(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
