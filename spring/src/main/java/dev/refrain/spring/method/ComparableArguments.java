package dev.refrain.spring.method;

import dev.refrain.ValueCodec;
import dev.refrain.spring.RefrainStartException;
import dev.refrain.spring.internal.handler.AsyncTypes;
import java.io.Closeable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.springframework.core.ResolvableType;
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

    /** Annotations of record components that a JSON library leaves out or writes in a way of their own. */
    private static final List<String> LEAVING_OUT = List.of("JsonIgnore", "JsonSerialize");

    private static final String TYPE_REJECTED = "InvalidDefinitionException";
    private static final SpringObjenesis INSTANCES = new SpringObjenesis();

    private ComparableArguments() {}

    /** @throws RefrainStartException if a parameter has a type whose values cannot be compared */
    static void require(String name, Class<?> bean, Method method, ValueCodec codec) {
        requireEncodable(name, codec);
        for (int i = 0; i < method.getParameterCount(); i++) {
            var parameter = ResolvableType.forMethodParameter(method, i, bean);
            var culprit = findIncomparable(parameter, codec, new HashSet<>());
            if (culprit.isPresent()) {
                var type = parameter.resolve(Object.class);
                throw new RefrainStartException(
                        name + " is @Idempotent, but its parameter of type " + ClassUtils.getShortName(type)
                                + (culprit.get().equals(type)
                                        ? ""
                                        : ", which holds a " + ClassUtils.getShortName(culprit.get()) + ",")
                                + " cannot be compared with that of a retry: a different request under the same key would not be"
                                + " noticed.",
                        "Pass its content instead: a String, a byte[], or an object with properties.");
            }
        }
    }

    /** Requires a codec that takes the list of arguments, as that of an application without a JSON library does not. */
    private static void requireEncodable(String name, ValueCodec codec) {
        try {
            codec.encodeRequest(List.of());
        } catch (RuntimeException e) {
            throw new RefrainStartException(
                    name
                            + " is @Idempotent, but its arguments cannot be encoded, so that they could not be compared with those of"
                            + " a retry: " + e.getMessage(),
                    "Add a JSON library, or define a ValueCodec that takes a List: as a bean, or in the settings of your own Refrain bean.");
        }
    }

    /** Returns the type whose values cannot be compared: this one, or one inside of a collection, an array or a record. */
    private static Optional<Class<?>> findIncomparable(ResolvableType type, ValueCodec codec, Set<Class<?>> records) {
        var raw = type.resolve(Object.class);
        if (isNeverComparable(raw) || (hasNoProperties(raw) && isRejected(raw, codec))) {
            return Optional.of(raw);
        }
        return parts(type, raw, records)
                .flatMap(part -> findIncomparable(part, codec, records).stream())
                .findFirst();
    }

    private static Stream<ResolvableType> parts(ResolvableType type, Class<?> raw, Set<Class<?>> records) {
        if (type.isArray()) {
            return Stream.of(type.getComponentType());
        }
        if (raw.getName().startsWith("java.util.")) {
            return Stream.of(type.getGenerics());
        }
        return raw.isRecord() && records.add(raw)
                ? Arrays.stream(raw.getRecordComponents())
                        .filter(component -> Arrays.stream(
                                        component.getAccessor().getAnnotations())
                                .noneMatch(each -> LEAVING_OUT.contains(
                                        each.annotationType().getSimpleName())))
                        .map(component -> ResolvableType.forMethodReturnType(component.getAccessor(), raw))
                : Stream.of();
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
