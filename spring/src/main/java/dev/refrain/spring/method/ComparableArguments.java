package dev.refrain.spring.method;

import dev.refrain.ValueCodec;
import dev.refrain.spring.RefrainStartException;
import dev.refrain.spring.internal.handler.AsyncTypes;
import java.io.Closeable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import org.springframework.objenesis.SpringObjenesis;
import org.springframework.util.ClassUtils;

/**
 * Check that the arguments of a method, which are its request, can be compared with those of a retry. HTTP requests need no such
 * check: they are compared as they were sent.
 */
final class ComparableArguments {

    /** Types whose values are read once, run, or mean nothing outside of the call. */
    private static final List<Class<?>> NEVER = List.of(
            Closeable.class,
            BaseStream.class,
            Iterator.class,
            Runnable.class,
            Callable.class,
            Supplier.class,
            Consumer.class,
            Function.class,
            java.sql.Connection.class);

    private static final List<String> NEVER_BY_NAME = List.of(
            "jakarta.servlet.ServletRequest",
            "jakarta.servlet.ServletResponse",
            "org.springframework.web.multipart.MultipartFile",
            "org.springframework.web.context.request.WebRequest");

    private static final String TYPE_REJECTED = "InvalidDefinitionException";
    private static final SpringObjenesis INSTANCES = new SpringObjenesis();

    private ComparableArguments() {}

    /** @throws RefrainStartException if a parameter has a type whose values cannot be compared */
    static void require(String name, Method method, ValueCodec codec) {
        for (var parameter : method.getParameters()) {
            var type = parameter.getType();
            if (isNeverComparable(type) || (hasNoProperties(type) && isRejected(type, codec))) {
                throw new RefrainStartException(
                        name + " is @Idempotent, but its parameter of type " + ClassUtils.getShortName(type)
                                + " cannot be compared with that of a retry: a different request under the same key would not be"
                                + " noticed.",
                        "Pass its content instead: a String, a byte[], or an object with properties.");
            }
        }
    }

    private static boolean isNeverComparable(Class<?> type) {
        return NEVER.stream().anyMatch(never -> never.isAssignableFrom(type))
                || AsyncTypes.isAsync(type)
                || ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                        .anyMatch(each -> NEVER_BY_NAME.contains(each.getName()))
                || NEVER_BY_NAME.contains(type.getName());
    }

    private static boolean hasNoProperties(Class<?> type) {
        return !Modifier.isAbstract(type.getModifiers())
                && !type.isPrimitive()
                && !type.isArray()
                && !type.isEnum()
                && !type.isRecord()
                && !type.getName().startsWith("java.")
                && type.getFields().length == 0
                && Arrays.stream(type.getMethods())
                        .filter(each -> each.getDeclaringClass() != Object.class && each.getParameterCount() == 0)
                        .noneMatch(each -> each.getName().startsWith("get")
                                || each.getName().startsWith("is"));
    }

    /** Asks the codec with an empty instance: where it has no serializer for the type, it has none for any of its values. */
    private static boolean isRejected(Class<?> type, ValueCodec codec) {
        try {
            codec.encodeRequest(List.of(INSTANCES.newInstance(type)));
            return false;
        } catch (RuntimeException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause.getClass().getSimpleName().equals(TYPE_REJECTED)) {
                    return true;
                }
            }
            return false;
        }
    }
}
