package dev.refrain.examples.spring;

import jakarta.validation.constraints.Null;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.BindParam;

/** The form of a capture. Stripe's clients may ask for a part of a payment; that is refused, not ignored. */
record CapturePaymentForm(
        @BindParam("amount_to_capture") @Nullable @Null(message = "is not supported: a payment is captured as a whole")
        Long amountToCapture) {}
