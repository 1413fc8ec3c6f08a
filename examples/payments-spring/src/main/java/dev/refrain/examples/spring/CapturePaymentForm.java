package dev.refrain.examples.spring;

import jakarta.validation.constraints.Null;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.BindParam;

/** Form parameters of a capture. Partial captures, which Stripe's clients may request, are rejected. */
record CapturePaymentForm(
        @BindParam("amount_to_capture") @Nullable @Null(message = "is not supported: payments are captured in full")
        Long amountToCapture) {}
