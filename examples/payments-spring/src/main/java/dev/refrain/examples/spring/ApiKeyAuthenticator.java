package dev.refrain.examples.spring;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.authentication.AuthenticationConverter;
import org.springframework.security.web.authentication.www.BasicAuthenticationConverter;
import org.springframework.stereotype.Component;

/** Authenticates an account by its API key, sent as a bearer token or as the user name of HTTP Basic. */
@Component
class ApiKeyAuthenticator implements AuthenticationConverter, AuthenticationManager {

    private static final String BEARER = "Bearer ";

    private final BasicAuthenticationConverter basic = new BasicAuthenticationConverter();
    private final Map<String, String> accounts;

    ApiKeyAuthenticator(PaymentsApplication.Settings settings) {
        accounts = settings.apiKeys();
    }

    @Override
    public @Nullable Authentication convert(HttpServletRequest request) {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        return header != null && header.startsWith(BEARER)
                ? UsernamePasswordAuthenticationToken.unauthenticated(header.substring(BEARER.length()), "")
                : basic.convert(request);
    }

    @Override
    public Authentication authenticate(Authentication presented) {
        String account =
                accountOf(presented.getName()).orElseThrow(() -> new BadCredentialsException("Unknown API key."));
        return UsernamePasswordAuthenticationToken.authenticated(account, "", List.of());
    }

    /** Compares all keys in constant time, so that timing reveals nothing. */
    private Optional<String> accountOf(String apiKey) {
        byte[] presented = apiKey.getBytes(StandardCharsets.UTF_8);
        return accounts.entrySet().stream()
                .filter(known -> MessageDigest.isEqual(known.getKey().getBytes(StandardCharsets.UTF_8), presented))
                .map(Map.Entry::getValue)
                .reduce((first, second) -> first);
    }
}
