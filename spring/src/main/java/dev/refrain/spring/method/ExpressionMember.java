package dev.refrain.spring.method;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Property or method that a SpEL expression reads of an object, looked up as SpEL does, in the type that is declared for it.
 *
 * @param owner the type; {@code Object} if it is unknown
 * @param name its name; empty if the node is neither a property nor a method
 * @param type type of its value; null if it is unknown
 * @param isMissing true if objects of the type have no such member
 */
record ExpressionMember(
        Class<?> owner, String name, String kind, @Nullable Class<?> type, boolean isMissing) {

    static ExpressionMember of(@Nullable Class<?> declared, SpelNode node) {
        var owner = ClassUtils.resolvePrimitiveIfNecessary(declared == null ? Object.class : declared);
        return switch (node) {
            case PropertyOrFieldReference property -> property(owner, property.getName());
            case MethodReference method -> method(owner, method.getName(), method.getChildCount());
            default -> new ExpressionMember(owner, "", "member", null, false);
        };
    }

    /** Returns what to do about a missing member, in whole sentences. */
    String advice() {
        return Map.class.isAssignableFrom(owner) ? "Read an entry of a map as ['" + name + "']." : "Correct the name.";
    }

    private static ExpressionMember property(Class<?> owner, String name) {
        String capital = StringUtils.capitalize(name);
        var getter = Stream.of("get" + capital, "is" + capital, name)
                .flatMap(candidate -> Stream.of(owner.getMethods())
                        .filter(method -> method.getName().equals(candidate) && method.getParameterCount() == 0))
                .<Class<?>>map(Method::getReturnType);
        var field = Stream.of(owner.getFields())
                .filter(each -> each.getName().equals(name))
                .<Class<?>>map(Field::getType);
        return found(owner, name, "property", Stream.concat(getter, field).findFirst());
    }

    private static ExpressionMember method(Class<?> owner, String name, int arguments) {
        var types = Stream.of(owner.getMethods())
                .filter(method -> method.getName().equals(name)
                        && (method.isVarArgs() || method.getParameterCount() == arguments))
                .<Class<?>>map(Method::getReturnType)
                .distinct()
                .toList();
        var member = found(owner, name, "method", types.stream().findFirst());
        return types.size() > 1 ? new ExpressionMember(owner, name, "method", null, false) : member;
    }

    private static ExpressionMember found(Class<?> owner, String name, String kind, Optional<Class<?>> type) {
        return new ExpressionMember(owner, name, kind, type.orElse(null), type.isEmpty() && hasOwnMembersOnly(owner));
    }

    /** Returns true if a value of the type is likely to have the members of the type alone. */
    private static boolean hasOwnMembersOnly(Class<?> type) {
        boolean mapOfJdk = Map.class.isAssignableFrom(type) && type.getName().startsWith("java.util.");
        boolean readThrough = type == Object.class || type == Optional.class || type.isArray();
        return mapOfJdk || (!readThrough && !Modifier.isAbstract(type.getModifiers()));
    }
}
