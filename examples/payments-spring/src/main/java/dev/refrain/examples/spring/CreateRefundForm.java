package dev.refrain.examples.spring;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Positive;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.BindParam;

/** Form parameters of a refund; without an amount, everything that is left is refunded. */
record CreateRefundForm(
        @BindParam("payment_intent") @NotBlank String paymentIntent,

        @Nullable @Positive Long amount) {}
