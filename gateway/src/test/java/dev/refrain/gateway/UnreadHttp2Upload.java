package dev.refrain.gateway;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Client of HTTP/2 on a bare socket that sends two bodies without end, as far as the server lets it, and reads no answer. */
final class UnreadHttp2Upload {

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int WINDOW_UPDATE = 8;
    private static final int ACK = 1;
    private static final int END_HEADERS = 4;
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int DEFAULT_WINDOW = (1 << 16) - 1;
    private static final int LARGEST_FRAME = 1 << 14;
    private static final int STREAMS = 2;

    private final DataInputStream in;
    private final DataOutputStream out;

    /** What may be sent: on the connection, and on each stream. */
    private final long[] windows = {DEFAULT_WINDOW, DEFAULT_WINDOW, DEFAULT_WINDOW};

    private long initial = DEFAULT_WINDOW;
    private long sent;

    private UnreadHttp2Upload(Socket socket) throws IOException {
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
    }

    /** Sends for this time; returns how much was sent. */
    static long send(Socket socket, String path, Duration time) throws IOException {
        socket.setSoTimeout(100);
        var upload = new UnreadHttp2Upload(socket);
        upload.begin(path);
        for (long end = System.nanoTime() + time.toNanos(); end - System.nanoTime() > 0; ) {
            upload.sendData();
            upload.receive();
        }
        return upload.sent;
    }

    private void begin(String path) throws IOException {
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        frame(SETTINGS, 0, 0, new byte[0], 0);
        var head = new ByteArrayOutputStream();
        for (String line : new String[] {":method POST", ":scheme http", ":path " + path, ":authority a"}) {
            int space = line.indexOf(' ');
            head.write(0);
            literal(head, line.substring(0, space));
            literal(head, line.substring(space + 1));
        }
        for (int stream = 1; stream <= STREAMS; stream++) {
            frame(HEADERS, END_HEADERS, id(stream), head.toByteArray(), head.size());
        }
        out.flush();
    }

    private static int id(int stream) {
        return 2 * stream - 1;
    }

    private static void literal(ByteArrayOutputStream head, String text) {
        head.write(text.length());
        head.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    private void frame(int type, int flags, int stream, byte[] content, int length) throws IOException {
        out.write(length >> 16);
        out.writeShort(length);
        out.write(type);
        out.write(flags);
        out.writeInt(stream);
        out.write(content, 0, length);
    }

    private void sendData() throws IOException {
        var content = new byte[LARGEST_FRAME];
        for (int stream = 1; stream <= STREAMS; stream++) {
            int length = (int) Math.min(LARGEST_FRAME, Math.min(windows[0], windows[stream]));
            if (length > 0) {
                frame(DATA, 0, id(stream), content, length);
                windows[0] -= length;
                windows[stream] -= length;
                sent += length;
            }
        }
        out.flush();
    }

    /** Reads what has come; waits for a moment if nothing may be sent. */
    private void receive() throws IOException {
        boolean stopped = windows[0] <= 0 || (windows[1] <= 0 && windows[2] <= 0);
        while (in.available() > 0 || stopped) {
            stopped = false;
            int length;
            try {
                length = in.readUnsignedByte() << 16;
            } catch (SocketTimeoutException nothing) {
                return;
            }
            length |= in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            received(type, flags, stream, in.readNBytes(length));
        }
    }

    private void received(int type, int flags, int stream, byte[] content) throws IOException {
        if (type == WINDOW_UPDATE && stream < 2 * STREAMS) {
            windows[stream == 0 ? 0 : (stream + 1) / 2] += number(content, 0);
        } else if (type == SETTINGS && flags != ACK) {
            for (int at = 0; at < content.length; at += 6) {
                if (content[at] == 0 && content[at + 1] == INITIAL_WINDOW_SIZE) {
                    long changed = number(content, at + 2) - initial;
                    initial += changed;
                    windows[1] += changed;
                    windows[2] += changed;
                }
            }
            frame(SETTINGS, ACK, 0, new byte[0], 0);
        }
    }

    private static long number(byte[] content, int at) {
        long number = 0;
        for (int i = at; i < at + 4; i++) {
            number = number << 8 | (content[i] & 0xff);
        }
        return number;
    }
}
