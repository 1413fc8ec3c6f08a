package dev.refrain.examples.spring;

import java.security.Principal;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows the balance of a merchant in the format of Stripe's API. */
@RestController
class BalanceController {

    record BalanceResponse(
            String object,
            List<PaymentsLedger.Balance> available,
            List<PaymentsLedger.Balance> pending,
            boolean livemode) {}

    private final PaymentsLedger ledger;

    BalanceController(PaymentsLedger ledger) {
        this.ledger = ledger;
    }

    @GetMapping("/v1/balance")
    BalanceResponse get(Principal merchant) {
        return new BalanceResponse(
                "balance",
                ledger.balances(merchant.getName(), PaymentsLedger.Account.AVAILABLE),
                ledger.balances(merchant.getName(), PaymentsLedger.Account.PENDING),
                false);
    }
}
