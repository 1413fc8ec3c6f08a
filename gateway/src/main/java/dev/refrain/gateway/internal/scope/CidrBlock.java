package dev.refrain.gateway.internal.scope;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Network in CIDR notation, such as {@code 10.0.0.0/8}. */
public record CidrBlock(InetAddress address, int bits) {

    private static final Pattern LITERAL = Pattern.compile("[0-9.]+|[0-9a-fA-F:]*:[0-9a-fA-F:.]*");

    public static CidrBlock of(String text) {
        int slash = text.indexOf('/');
        String host = slash < 0 ? text : text.substring(0, slash);
        try {
            // A name would be looked up, and may mean something else tomorrow.
            if (LITERAL.matcher(host).matches()) {
                var address = InetAddress.getByName(host);
                int most = address.getAddress().length * 8;
                int bits = slash < 0 ? most : Integer.parseInt(text.substring(slash + 1));
                if (bits >= 0 && bits <= most) {
                    return new CidrBlock(address, bits);
                }
            }
        } catch (UnknownHostException | NumberFormatException notOne) {
            // Told below.
        }
        throw new IllegalArgumentException(
                "'" + text + "' is not a network. Write it like 10.0.0.0/8, 192.0.2.7 or fd00::/8.");
    }

    public boolean contains(InetAddress other) {
        byte[] own = address.getAddress();
        byte[] theirs = other.getAddress();
        int rest = own.length * 8 - bits;
        return own.length == theirs.length
                && new BigInteger(1, own).shiftRight(rest).equals(new BigInteger(1, theirs).shiftRight(rest));
    }
}
