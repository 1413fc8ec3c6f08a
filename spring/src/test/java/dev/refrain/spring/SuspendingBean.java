package dev.refrain.spring;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.FixedValue;

/**
 * Classes as Kotlin compiles those with functions that suspend. Made at run time: Kotlin's types on the class path would switch on
 * parts of other libraries.
 */
public final class SuspendingBean {

    private SuspendingBean() {}

    /**
     * Returns a class with the annotations of this one and of its only method, whose function suspends.
     *
     * @param name simple name of the class
     */
    public static Class<?> like(Class<?> template, String name) {
        var continuation = new ByteBuddy()
                .makeInterface()
                .name("kotlin.coroutines.Continuation")
                .make();
        var method = Arrays.stream(template.getDeclaredMethods())
                .filter(each -> Modifier.isPublic(each.getModifiers()))
                .findFirst()
                .orElseThrow();
        return new ByteBuddy()
                .subclass(Object.class)
                .name("dev.refrain.spring." + name)
                .annotateType(template.getAnnotations())
                .defineMethod(method.getName(), Object.class, Modifier.PUBLIC)
                .withParameters(TypeDescription.ForLoadedType.of(String.class), continuation.getTypeDescription())
                .intercept(FixedValue.value("done"))
                .annotateMethod(method.getAnnotations())
                .make()
                .include(continuation)
                .load(SuspendingBean.class.getClassLoader(), ClassLoadingStrategy.Default.WRAPPER)
                .getLoaded();
    }
}
