package dev.refrain.spring;

import java.util.List;

/** Methods of beans that are protected. */
public interface ProtectedBeanMethods {

    /** Returns the names of all methods that were found so far, sorted, each with the store that it names. */
    List<String> protectedMethods();

    /** Returns true if this method of a class, as {@code Class.method}, was found in a bean. */
    boolean isProtected(String method);

    /** Returns true if a method runs in transactions of this store, as named in {@code refrain.stores}; empty for the default store. */
    boolean hasTransactional(String store);
}
