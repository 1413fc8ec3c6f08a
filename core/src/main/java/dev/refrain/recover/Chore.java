package dev.refrain.recover;

/** Background work in small steps. */
public interface Chore {

    String name();

    /** Does a little; true if there may be more to do at once. */
    boolean step();
}
