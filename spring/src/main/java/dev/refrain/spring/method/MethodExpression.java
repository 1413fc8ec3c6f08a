package dev.refrain.spring.method;

import dev.refrain.spring.RefrainStartException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/** SpEL expression over the parameters of a method, checked at startup as far as types say. Thread-safe. */
final class MethodExpression {

    static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private final String what;
    private final Expression expression;

    private MethodExpression(String what, Expression expression) {
        this.what = what;
        this.expression = expression;
    }

    /**
     * Reads an expression.
     *
     * @param what what it is for, such as {@code Orders.place: its key}
     * @throws RefrainStartException if it cannot be read, or names a parameter or property that does not exist
     */
    static MethodExpression of(String what, String text, Method method) {
        var parameters = parameters(method);
        try {
            var parsed = PARSER.parseExpression(text);
            if (parsed instanceof SpelExpression spel) {
                check(what + " expression '" + text + "'", spel.getAST(), parameters);
            }
            return new MethodExpression(what, parsed);
        } catch (ParseException e) {
            throw new RefrainStartException(
                    what + " expression '" + text + "' cannot be read: " + e.getSimpleMessage() + ".",
                    "Write a SpEL expression over the parameters, such as " + example(parameters) + ".",
                    e);
        }
    }

    /** Evaluates it for one call. */
    String value(EvaluationContext call) {
        String value = expression.getValue(call, String.class);
        if (value == null) {
            throw new IllegalArgumentException(what + ", " + expression.getExpressionString() + ", is null.");
        }
        return value;
    }

    /** Returns the types of the parameters by each of their names. */
    private static Map<String, Class<?>> parameters(Method method) {
        var found = new LinkedHashMap<String, Class<?>>();
        var names = NAMES.getParameterNames(method);
        for (int i = 0; i < method.getParameterCount(); i++) {
            if (names != null && names[i] != null) {
                found.put(names[i], method.getParameterTypes()[i]);
            }
            found.put("a" + i, method.getParameterTypes()[i]);
            found.put("p" + i, method.getParameterTypes()[i]);
        }
        return found;
    }

    private static String example(Map<String, Class<?>> parameters) {
        return parameters.keySet().stream().findFirst().map(name -> "#" + name).orElse("'a constant'");
    }

    private static void check(String what, SpelNode node, Map<String, Class<?>> parameters) {
        if (node instanceof VariableReference) {
            String name = variable(node);
            if (!parameters.containsKey(name) && !name.equals("this") && !name.equals("root")) {
                throw new RefrainStartException(
                        what + " uses #" + name + ", but the method has no such parameter.",
                        "Use one of "
                                + parameters.keySet().stream()
                                        .map(known -> "#" + known)
                                        .collect(Collectors.joining(", "))
                                + ".");
            }
        }
        if (node instanceof CompoundExpression
                && node.getChildCount() > 1
                && node.getChild(0) instanceof VariableReference) {
            var type = parameters.get(variable(node.getChild(0)));
            if (type != null) {
                checkMember(what, type, node.getChild(1));
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            check(what, node.getChild(i), parameters);
        }
    }

    private static String variable(SpelNode reference) {
        return reference.toStringAST().substring(1);
    }

    private static void checkMember(String what, Class<?> type, SpelNode member) {
        String name = switch (member) {
            case PropertyOrFieldReference property -> property.getName();
            case MethodReference method -> method.getName();
            default -> null;
        };
        if (name != null && isKnown(type) && !has(type, name, member instanceof PropertyOrFieldReference)) {
            throw new RefrainStartException(
                    what + " uses '" + name + "', but " + ClassUtils.getShortName(type) + " has no such "
                            + (member instanceof PropertyOrFieldReference ? "property" : "method") + ".",
                    "Correct the name.");
        }
    }

    /** Returns true if a value of the type is likely to have the members of the type alone. */
    private static boolean isKnown(Class<?> type) {
        return !Modifier.isAbstract(type.getModifiers())
                && !type.isArray()
                && !type.isPrimitive()
                && type != Object.class
                && !Map.class.isAssignableFrom(type);
    }

    private static boolean has(Class<?> type, String name, boolean property) {
        String capital = StringUtils.capitalize(name);
        return Arrays.stream(type.getMethods())
                        .map(Method::getName)
                        .anyMatch(known -> known.equals(name)
                                || (property && (known.equals("get" + capital) || known.equals("is" + capital))))
                || (property && field(type, name) != null);
    }

    private static java.lang.reflect.@Nullable Field field(Class<?> type, String name) {
        return Stream.of(type.getFields())
                .filter(field -> field.getName().equals(name))
                .findFirst()
                .orElse(null);
    }
}
