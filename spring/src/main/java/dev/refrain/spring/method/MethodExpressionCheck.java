package dev.refrain.spring.method;

import dev.refrain.spring.RefrainStartException;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.util.ClassUtils;

/**
 * Check that every name in a SpEL expression of a method exists (a parameter, a bean, a member of one of them), and that its value can be read
 * as text. What it refuses would fail at each call.
 *
 * @param what what the expression is for, as the beginning of a sentence
 * @param text the expression
 * @param bean class of the bean, whose members are named without {@code #}
 * @param parameters types of the parameters by each of their names
 * @param isBean whether the application has a bean of a name
 */
record MethodExpressionCheck(
        String what, String text, Class<?> bean, Map<String, Class<?>> parameters, Predicate<String> isBean) {

    /** As SpEL converts the value of an expression. */
    private static final ConversionService CONVERSION = DefaultConversionService.getSharedInstance();

    /** @throws RefrainStartException if a name does not exist, or the value is no text */
    void require(SpelNode expression) {
        check(expression, bean);
        requireText(
                expression instanceof CompoundExpression chain ? checkChain(chain, bean) : typeOf(expression, bean));
    }

    /** Refuses a whole object, which SpEL does not convert; a value whose type is abstract may be of one that it does. */
    private void requireText(@Nullable Class<?> type) {
        if (type != null
                && !type.isPrimitive()
                && type != Object.class
                && !Modifier.isAbstract(type.getModifiers())
                && !CONVERSION.canConvert(type, String.class)) {
            throw refused(
                    "is " + ClassUtils.getShortName(type),
                    "its value has to be text, a number, an enum or a UUID",
                    "Write what identifies it, such as " + text + ".id.");
        }
    }

    /** @param root type of the object on which a name without {@code #} is looked up; null if it is unknown */
    private void check(SpelNode node, @Nullable Class<?> root) {
        switch (node) {
            case VariableReference variable -> requireParameter(nameOf(variable));
            case FunctionReference function ->
                throw refused("calls " + function.toStringAST(), "there are no functions", parametersToUse());
            case BeanReference reference -> requireBean(nameOf(reference).replace("'", ""));
            case PropertyOrFieldReference property -> requireOfRoot(root, property);
            case MethodReference method -> requireOfRoot(root, method);
            default -> {}
        }
        if (node instanceof CompoundExpression chain) {
            checkChain(chain, root);
        } else {
            checkParts(node, root);
        }
    }

    /** Returns the type of its last member; null if it is unknown. */
    private @Nullable Class<?> checkChain(CompoundExpression chain, @Nullable Class<?> root) {
        var first = chain.getChild(0);
        check(first, root);
        @Nullable Class<?> type = typeOf(first, root);
        for (int i = 1; i < chain.getChildCount(); i++) {
            var member = ExpressionMember.of(type, chain.getChild(i));
            if (member.isMissing()) {
                throw refused(
                        "uses '" + member.name() + "'",
                        ClassUtils.getShortName(member.owner()) + " has no such " + member.kind(),
                        member.advice());
            }
            type = member.type();
            checkParts(chain.getChild(i), root);
        }
        return type;
    }

    /** Checks arguments, indexes and operands, which are evaluated on the root, not on the object before them. */
    private void checkParts(SpelNode node, @Nullable Class<?> root) {
        boolean ofElements = node instanceof Selection || node instanceof Projection;
        boolean mayBeText = node instanceof Indexer || node instanceof InlineMap;
        for (int i = 0; i < node.getChildCount(); i++) {
            var part = node.getChild(i);
            // A bare name in brackets or before a colon is the key of a map.
            if (!(mayBeText && part instanceof PropertyOrFieldReference)) {
                check(part, ofElements ? null : root);
            }
        }
    }

    private @Nullable Class<?> typeOf(SpelNode first, @Nullable Class<?> root) {
        if (first instanceof VariableReference variable) {
            return switch (nameOf(variable)) {
                case "root" -> bean;
                case "this" -> root;
                default -> parameters.get(nameOf(variable));
            };
        }
        return ExpressionMember.of(root, first).type();
    }

    private void requireParameter(String name) {
        if (!parameters.containsKey(name) && !name.equals("this") && !name.equals("root")) {
            throw refused("uses #" + name, "the method has no such parameter", parametersToUse());
        }
    }

    private void requireBean(String name) {
        if (!isBean.test(name)) {
            throw refused("uses @" + name, "there is no such bean", "Correct the name.");
        }
    }

    private void requireOfRoot(@Nullable Class<?> root, SpelNode node) {
        var member = ExpressionMember.of(root, node);
        if (member.isMissing()) {
            int at = node.getStartPosition();
            throw refused(
                    "uses '" + member.name() + "' without #",
                    "the bean " + ClassUtils.getShortName(member.owner()) + " has no such " + member.kind(),
                    parameters.containsKey(member.name())
                            ? "Did you mean " + text.substring(0, at) + "#" + text.substring(at) + "?"
                            : "Parameters are written with #. " + parametersToUse());
        }
    }

    private String parametersToUse() {
        return parameters.isEmpty()
                ? "The method has no parameters; write a text in quotes, such as '''daily''', or ask a bean, such as @tenants.current()."
                : "Use one of "
                        + parameters.keySet().stream().map(name -> "#" + name).collect(Collectors.joining(", ")) + ".";
    }

    private RefrainStartException refused(String found, String but, String advice) {
        return new RefrainStartException(what + " expression '" + text + "' " + found + ", but " + but + ".", advice);
    }

    private static String nameOf(SpelNode reference) {
        return reference.toStringAST().substring(1);
    }
}
