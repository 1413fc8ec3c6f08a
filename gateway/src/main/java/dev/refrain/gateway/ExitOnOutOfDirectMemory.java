package dev.refrain.gateway;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Ends the process at an out-of-memory error for direct memory, as {@code -XX:+ExitOnOutOfMemoryError} does for the heap: that option does not
 * see errors that the class library throws. A process without it goes on.
 *
 * <p>Direct memory is used in two places: by the buffers of the server and of the client, and by the sockets themselves, which copy what is
 * written from the heap.
 */
final class ExitOnOutOfDirectMemory {

    /** Exit code of the virtual machine for the same error on the heap. */
    private static final int OUT_OF_MEMORY = 3;

    private static final boolean EXITS = isExitRequested();

    private ExitOnOutOfDirectMemory() {}

    private static boolean isExitRequested() {
        var machine = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        try {
            return machine != null
                    && Boolean.parseBoolean(
                            machine.getVMOption("ExitOnOutOfMemoryError").getValue());
        } catch (IllegalArgumentException otherVirtualMachine) {
            return false;
        }
    }

    /** Ends the process without shutdown hooks, which might need memory too. */
    private static void exit(OutOfMemoryError error) {
        if (EXITS) {
            System.err.println("Terminating due to " + error);
            Runtime.getRuntime().halt(OUT_OF_MEMORY);
        }
    }

    /** Pool of buffers that ends the process if there is no memory for one. */
    static final class BufferPool extends ArrayByteBufferPool {

        @Override
        public RetainableByteBuffer.Mutable acquire(int size, boolean direct) {
            try {
                return super.acquire(size, direct);
            } catch (OutOfMemoryError error) {
                exit(error);
                throw error;
            }
        }
    }

    /** Socket that ends the process if there is no memory for a copy of what is read or written. */
    static final class GuardedSocket extends SocketChannelEndPoint {

        GuardedSocket(SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler) {
            super(channel, selector, key, scheduler);
        }

        @Override
        public int fill(ByteBuffer buffer) throws IOException {
            try {
                return super.fill(buffer);
            } catch (OutOfMemoryError error) {
                exit(error);
                throw error;
            }
        }

        @Override
        public boolean flush(ByteBuffer... buffers) throws IOException {
            try {
                return super.flush(buffers);
            } catch (OutOfMemoryError error) {
                exit(error);
                throw error;
            }
        }
    }
}
