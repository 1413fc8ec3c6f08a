package dev.refrain.spring.method;

import dev.refrain.spring.RefrainStartException;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

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
     * @throws RefrainStartException if it cannot be read, or names a parameter, bean, property or method that does not exist
     */
    static MethodExpression of(String what, String text, Method method, Class<?> bean, BeanFactory beans) {
        var parameters = parameters(method);
        try {
            var parsed = PARSER.parseExpression(text);
            if (parsed instanceof SpelExpression spel) {
                new MethodExpressionCheck(what, text, bean, parameters, beans::containsBean).require(spel.getAST());
            }
            return new MethodExpression(what, parsed);
        } catch (ParseException e) {
            throw new RefrainStartException(
                    what + " expression '" + text + "' cannot be read: " + e.getSimpleMessage() + ".",
                    "Write a SpEL expression over the parameters, such as " + example(parameters) + ".",
                    e);
        }
    }

    /**
     * Evaluates it for one call.
     *
     * @throws IllegalArgumentException if it has no value for the arguments, such as {@code #order.id} without an order; nothing ran
     */
    String value(EvaluationContext call) {
        String value = valueOrNull(call);
        if (value == null) {
            throw new IllegalArgumentException(
                    what + ", " + expression.getExpressionString() + ", is null. Nothing ran.");
        }
        return value;
    }

    private @Nullable String valueOrNull(EvaluationContext call) {
        try {
            return expression.getValue(call, String.class);
        } catch (SpelEvaluationException e) {
            throw new IllegalArgumentException(
                    what + ", " + expression.getExpressionString() + ", cannot be read: " + e.getMessage()
                            + ". Nothing ran.",
                    e);
        }
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
}
