package dev.refrain.servers;

import java.util.concurrent.locks.LockSupport;

/** Starts a Redis, prints its process id, and waits to be killed. */
final class RedisInAnotherJvm {

    private RedisInAnotherJvm() {}

    public static void main(String[] arguments) {
        System.out.println(RedisServer.start().pid());
        while (true) {
            LockSupport.park();
        }
    }
}
