package dev.refrain.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Sends single commands to a Redis, for tests that need no client. */
final class RedisCommandLine {

    private static final int REPLY_WITHIN_MILLIS = 10_000;

    private RedisCommandLine() {}

    static boolean isReady(int port, String password) {
        try {
            return send(port, password, "PING").equals("+PONG");
        } catch (TestServerException e) {
            return false;
        }
    }

    /** Returns the first line of the reply. */
    static String send(int port, String password, String... words) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port);
                var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            socket.setSoTimeout(REPLY_WITHIN_MILLIS);
            write(socket.getOutputStream(), "AUTH", password);
            in.readLine();
            write(socket.getOutputStream(), words);
            String reply = in.readLine();
            return reply == null ? "" : reply;
        } catch (IOException e) {
            throw new TestServerException("Redis on port " + port + " did not answer " + words[0], e);
        }
    }

    private static void write(OutputStream out, String... words) throws IOException {
        var line = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            line.append("$")
                    .append(word.getBytes(StandardCharsets.UTF_8).length)
                    .append("\r\n")
                    .append(word)
                    .append("\r\n");
        }
        out.write(line.toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
