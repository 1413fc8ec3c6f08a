package dev.refrain;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;

/**
 * Generic type of a result, with the type arguments that a {@link Class} cannot express:
 * {@snippet :
 * Operation<List<Payment>> operation = refrain.operation("payments.list", new ResultType<List<Payment>>() {});
 * }
 *
 * <p>Flows, jobs and the steps of sagas take it too. For a type without arguments {@link Refrain#operation(String, Class)} is shorter.
 * Immutable.
 *
 * @param <T> the type of the values
 */
public abstract class ResultType<T> {

    private final Type type;

    /** Reads the type argument of the subclass, which must extend this class directly with a concrete type. */
    protected ResultType() {
        if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parent)
                || parent.getRawType() != ResultType.class) {
            throw new IllegalArgumentException(
                    "Cannot read the result type of " + getClass().getName()
                            + ": it does not extend ResultType directly with a type argument. Write"
                            + " new ResultType<List<Payment>>() {}.");
        }
        type = parent.getActualTypeArguments()[0];
        if (type instanceof TypeVariable<?> variable) {
            throw new IllegalArgumentException(
                    "Cannot read the result type of " + getClass().getName() + ": " + variable
                            + " is a type variable, whose type is not known at run time. Name the type.");
        }
    }

    private ResultType(Type type) {
        this.type = type;
    }

    /** Wraps a type without arguments. */
    public static <T> ResultType<T> of(Class<T> type) {
        return new Reflected<>(type);
    }

    /** Wraps a type found by reflection, such as a method's return type. */
    public static ResultType<?> of(Type type) {
        return new Reflected<>(type);
    }

    public final Type type() {
        return type;
    }

    /**
     * Casts a value that a codec decoded as this type. Type arguments are unknown at run time: those the codec must honour.
     *
     * @throws ClassCastException if the value is of another class
     */
    @SuppressWarnings("unchecked")
    public final T cast(Object value) {
        var raw = type instanceof ParameterizedType generic ? generic.getRawType() : type;
        return (T) (raw instanceof Class<?> known ? known.cast(value) : value);
    }

    @Override
    public final String toString() {
        return type.getTypeName();
    }

    private static final class Reflected<T> extends ResultType<T> {
        private Reflected(Type type) {
            super(type);
        }
    }
}
