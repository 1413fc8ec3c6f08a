package dev.refrain.crash;
/** Trial whose application is killed in this JVM. */
public interface InProcessTrial extends CrashTrial {

    /** Starts an instance whose effects all go through the injector. Called twice: for the killed instance and for the next one. */
    CrashableApplication start(CrashInjector life) throws Exception;
}
