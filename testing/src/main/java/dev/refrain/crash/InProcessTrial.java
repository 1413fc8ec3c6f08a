package dev.refrain.crash;
/** A trial whose application is killed in this JVM. */
public interface InProcessTrial extends CrashTrial {

    /** Called twice: for the instance that is killed, and for the one after it. All effects go through the life that is given. */
    CrashableApplication start(CrashInjector life) throws Exception;
}
