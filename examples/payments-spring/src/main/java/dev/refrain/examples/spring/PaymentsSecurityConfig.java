package dev.refrain.examples.spring;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AuthenticationFilter;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requires an API key for every call. Spring Security's filter runs before Refrain's: a rejected request claims no
 * idempotency key, and the authenticated account is the scope of its keys.
 */
@Configuration(proxyBeanMethods = false)
class PaymentsSecurityConfig {

    private final JsonMapper json;

    PaymentsSecurityConfig(JsonMapper json) {
        this.json = json;
    }

    @Bean
    SecurityFilterChain chain(HttpSecurity http, ApiKeyAuthenticator keys) {
        var byApiKey = new AuthenticationFilter(keys, keys);
        byApiKey.setSuccessHandler((request, response, found) -> {});
        byApiKey.setFailureHandler(this::reject);
        return http.csrf(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .addFilterAt(byApiKey, BasicAuthenticationFilter.class)
                .exceptionHandling(handling -> handling.authenticationEntryPoint(this::reject))
                .authorizeHttpRequests(
                        requests -> requests.dispatcherTypeMatchers(DispatcherType.ERROR, DispatcherType.FORWARD)
                                .permitAll()
                                .requestMatchers("/refrain/contract", "/refrain/contract.json")
                                .permitAll()
                                .anyRequest()
                                .authenticated())
                .build();
    }

    private void reject(HttpServletRequest request, HttpServletResponse response, AuthenticationException why)
            throws IOException {
        response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"payments\"");
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        json.writeValue(
                response.getOutputStream(),
                new ApiErrorAdvice.Body(ApiErrorAdvice.ApiError.of(
                        "invalid_request_error",
                        "Authenticate with your API key, as a bearer token or as the user name of HTTP Basic: curl -u "
                                + "sk_test_alice:")));
    }
}
