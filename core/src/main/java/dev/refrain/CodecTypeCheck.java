package dev.refrain;

import java.io.Closeable;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds types whose values a codec can never read or write, by asking it for an empty one. A type is checked once. What a codec of the
 * application's own refuses in its own words is not recognised, nor a class without a record's components whose parts cannot be read. Thread-safe.
 */
final class CodecTypeCheck {

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
            Future.class,
            CompletionStage.class);

    /** How both Jacksons call the failure that is the type's and not the value's. */
    private static final String TYPE_REJECTED = "InvalidDefinitionException";

    private static final byte[] EMPTY_OBJECT = {'{', '}'};

    private static final String ADVICE =
            " Use a record or a class with properties that the codec writes and reads, a Map, or text.";

    private final ValueCodec codec;
    private final Set<Type> storable = ConcurrentHashMap.newKeySet();
    private final Set<Type> comparable = ConcurrentHashMap.newKeySet();

    CodecTypeCheck(ValueCodec codec) {
        this.codec = codec;
    }

    /** @throws IllegalArgumentException if the codec cannot store values of the type */
    void requireStorable(Type type, String user) {
        if (!storable.contains(type)) {
            findProblem(type, new HashSet<>()).ifPresent(problem -> refuse(type, user, "stored", problem));
            storable.add(type);
        }
    }

    /** @throws IllegalArgumentException if the codec cannot store values of the type, or writes nothing that tells them apart */
    void requireComparable(Type type, String user) {
        requireStorable(type, user);
        if (!comparable.contains(type)) {
            decodeEmpty(type)
                    .flatMap(empty -> rejection(() -> codec.encodeRequest(empty)))
                    .ifPresent(problem -> refuse(type, user, "compared", problem));
            comparable.add(type);
        }
    }

    private static void refuse(Type type, String user, String verb, String problem) {
        throw new IllegalArgumentException(user + ": a " + type.getTypeName() + " cannot be " + verb + ": " + problem);
    }

    private Optional<String> findProblem(Type type, Set<Type> seen) {
        if (!seen.add(type) || isBuiltIn(type)) {
            return Optional.empty();
        }
        var raw = raw(type);
        if (raw != null && NEVER.stream().anyMatch(never -> never.isAssignableFrom(raw))) {
            return Optional.of("values of " + raw.getTypeName() + " mean nothing outside of the call." + ADVICE);
        }
        return readingProblem(type)
                .or(() -> parts(type)
                        .flatMap(part -> findProblem(part, seen).stream())
                        .findFirst());
    }

    private static boolean isBuiltIn(Type type) {
        return type == Object.class
                || type == Void.class
                || type == byte[].class
                || (type instanceof Class<?> plain && (plain.isPrimitive() || plain.isEnum()));
    }

    private static @Nullable Class<?> raw(Type type) {
        if (type instanceof ParameterizedType generic) {
            return generic.getRawType() instanceof Class<?> plain ? plain : null;
        }
        return type instanceof Class<?> plain ? plain : null;
    }

    /** Returns the types of what values consist of; those of type variables are not known. */
    private static Stream<Type> parts(Type type) {
        return switch (type) {
            case GenericArrayType array -> Stream.of(array.getGenericComponentType());
            case ParameterizedType generic -> Arrays.stream(generic.getActualTypeArguments());
            case Class<?> plain -> parts(plain);
            default -> Stream.of();
        };
    }

    private static Stream<Type> parts(Class<?> plain) {
        if (plain.isArray()) {
            return Stream.of(plain.getComponentType());
        }
        return plain.isRecord()
                ? Arrays.stream(plain.getRecordComponents())
                        .filter(CodecTypeCheck::isPlain)
                        .map(RecordComponent::getGenericType)
                : Stream.of();
    }

    /** Returns false for a component that a JSON library leaves out or writes in a way of its own. */
    private static boolean isPlain(RecordComponent component) {
        return Arrays.stream(component.getAccessor().getAnnotations())
                .map(annotation -> annotation.annotationType().getSimpleName())
                .noneMatch(name -> name.startsWith("Json") && !name.equals("JsonProperty"));
    }

    private Optional<String> readingProblem(Type type) {
        if (!(type instanceof Class<?> || type instanceof ParameterizedType)) {
            return Optional.empty();
        }
        if (codec instanceof TextOrBytesCodec) {
            return textProblem(type);
        }
        return rejection(() -> {
            Object empty = codec.decode(EMPTY_OBJECT.clone(), type);
            if (empty != null) {
                codec.encode(empty);
            }
        });
    }

    private Optional<String> textProblem(Type type) {
        try {
            codec.decode(new byte[0], type);
            return Optional.empty();
        } catch (IllegalArgumentException notText) {
            return Optional.of(String.valueOf(notText.getMessage()));
        }
    }

    private Optional<Object> decodeEmpty(Type type) {
        try {
            return Optional.ofNullable(codec.decode(EMPTY_OBJECT.clone(), type));
        } catch (RuntimeException neverEmpty) {
            return Optional.empty();
        }
    }

    /** Returns what the codec says of the type; an empty value that it does not like says nothing of others. */
    private Optional<String> rejection(Runnable use) {
        try {
            use.run();
            return Optional.empty();
        } catch (RuntimeException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause.getClass().getSimpleName().equals(TYPE_REJECTED)) {
                    String message = String.valueOf(cause.getMessage());
                    return Optional.of(message.lines().findFirst().orElse(message) + "." + ADVICE);
                }
            }
            return Optional.empty();
        }
    }
}
