package dev.refrain.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What came of a scenario on one side.
 *
 * @param ordered what the customer meant to pay
 * @param answers what the customer was told, in the order of asking
 * @param charges what the bank saw
 * @param receipts how many the shop has in its books
 */
record ScenarioVariantResult(ShopOrder ordered, List<ShopResponse> answers, List<BankCharge> charges, int receipts) {

    /** Such as {@code 201 ×3}. */
    String client() {
        var counts = answers.stream()
                .collect(Collectors.groupingBy(ShopResponse::told, LinkedHashMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + (entry.getValue() > 1 ? " ×" + entry.getValue() : ""))
                .collect(Collectors.joining(", "));
    }

    /** Such as {@code 2 charges}. */
    String bank() {
        return counted(charges.size(), "charge");
    }

    String shop() {
        return receipts == 0 ? "no receipt" : counted(receipts, "receipt");
    }

    /** What is wrong with it: nothing may be charged twice, nothing may be lost, nobody may be told something else. */
    List<String> violations(String expectedOfClient) {
        var wrongs = new ArrayList<String>();
        if (charges.size() > 1) {
            wrongs.add("charged " + charges.size() + " times");
        }
        if (charges.isEmpty()) {
            wrongs.add("never charged");
        } else if (charges.getFirst().order().amount() != ordered.amount()) {
            wrongs.add("another amount was charged");
        }
        if (receipts == 0) {
            wrongs.add("lost, there is no receipt");
        }
        if (receipts > 1) {
            wrongs.add(receipts + " receipts");
        }
        if (answers.stream()
                        .filter(ShopResponse::isReceipt)
                        .map(ShopResponse::body)
                        .distinct()
                        .count()
                > 1) {
            wrongs.add("the client was given different receipts");
        }
        if (!client().equals(expectedOfClient)) {
            wrongs.add("the client saw " + client() + " instead of " + expectedOfClient);
        }
        return wrongs;
    }

    private static String counted(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
