package dev.refrain.examples.spring;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.BindParam;

/** Form parameters of a new payment. Only manual capture is supported. */
record CreatePaymentForm(
        @NotNull @Positive @Max(99_999_999) Long amount,

        @NotNull @Pattern(regexp = "[a-z]{3}", message = "must be three letters, for example eur")
        String currency,

        @BindParam("payment_method") @NotBlank String paymentMethod,
        @Nullable @Size(max = 500) String description,

        @BindParam("capture_method") @Nullable @Pattern(regexp = "manual", message = "must be manual if present")
        String captureMethod) {}
