package dev.refrain.gateway;

import static dev.refrain.gateway.GatewayUnderTest.pay;
import static dev.refrain.gateway.GatewayUnderTest.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.cases.RawHttpConnection;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A limit counts what its name says, and the largest that it names is still accepted. */
class GatewayLimitsTest {

    private final String key = UUID.randomUUID().toString();

    /** The head is the request line, the headers and the empty line. */
    @ParameterizedTest
    @CsvSource({"4096,cookie,201", "4097,cookie,431", "4096,query,201", "4097,query,431"})
    void maxHeaderCountsTheWholeHead(int bytes, String where, int status) throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(upstream.address(), "gateway: {max-header: 4KB}\n" + route());
                var wire = new RawHttpConnection(gateway.server().port())) {
            wire.write(head(bytes, where).getBytes(StandardCharsets.US_ASCII));

            assertThat(wire.receive().status()).isEqualTo(status);
        }
    }

    private String head(int bytes, String where) {
        String head = "POST /pay?QUERY HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIdempotency-Key: " + key
                + "\r\nContent-Length: 0\r\nCookie: COOKIE\r\n\r\n";
        String filled = head.replace(where.equals("query") ? "COOKIE" : "QUERY", "q");
        String place = where.equals("query") ? "QUERY" : "COOKIE";
        return filled.replace(place, "x".repeat(bytes - filled.length() + place.length()));
    }

    @ParameterizedTest
    @CsvSource({"1000,201", "1001,413"})
    void maxRequestBytesCountsTheBody(int bytes, int status) throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(upstream.address(), route("max-request-bytes: 1000B"))) {
            var request = pay(key).json("x".repeat(bytes));

            assertThat(gateway.send(request).status()).isEqualTo(status);
            assertThat(gateway.send(request.inChunks()).status()).isEqualTo(status);
        }
    }

    /** An outcome is a status, headers and a body. */
    @ParameterizedTest
    @CsvSource({"900,true", "1000,false", "1001,false"})
    void maxOutcomeBytesCountsStatusHeadersAndBody(int bytes, boolean kept) throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "x".repeat(bytes)));
                var gateway = new GatewayUnderTest(upstream.address(), route("max-outcome-bytes: 1000B"))) {
            assertThat(gateway.send(pay(key)).body()).hasSize(bytes);

            var again = gateway.send(pay(key));

            assertThat(again.replayed()).isEqualTo(kept);
            assertThat(again.body().contains("answer-not-kept")).isEqualTo(!kept);
        }
    }

    @Test
    void maxKeyBytesCountsTheKeyAndNotItsQuotes() throws Exception {
        try (var upstream = new RawUpstream(RawUpstream.answering(201, "made"));
                var gateway = new GatewayUnderTest(upstream.address(), route("max-key-bytes: 10"))) {
            assertThat(gateway.send(pay("\"0123456789\"")).status()).isEqualTo(201);
            assertThat(gateway.send(pay("\"01234\\\\6789\"")).status()).isEqualTo(201);
            assertThat(gateway.send(pay("0123456789x")).status()).isEqualTo(400);
        }
    }
}
