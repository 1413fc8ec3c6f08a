package dev.refrain.examples.spring;

import java.security.Principal;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What we owe to a merchant, as Stripe shows it. */
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
