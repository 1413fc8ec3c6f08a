package dev.refrain.gateway;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** A database's address as a gateway is told it: user and password are in the environment. */
record DatabaseAddress(String withSecrets) {

    private static final Pattern SECRET = Pattern.compile("[?&](user|password)=([^&]*)");

    String bare() {
        return SECRET.matcher(withSecrets).replaceAll("");
    }

    Map<String, String> environment() {
        var environment = new HashMap<String, String>();
        SECRET.matcher(withSecrets)
                .results()
                .forEach(secret -> environment.put(
                        secret.group(1).equals("user") ? Gateway.STORE_USER : Gateway.STORE_PASSWORD, secret.group(2)));
        return environment;
    }
}
