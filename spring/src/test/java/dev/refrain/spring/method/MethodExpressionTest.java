package dev.refrain.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.spring.RefrainStartException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** What would fail at each call is refused at the start, and what would not is not. */
class MethodExpressionTest {

    record Customer(String name) {}

    record Order(String id, Customer customer) {}

    public static class Tenants {
        public String current() {
            return "acme";
        }
    }

    public static class Shop {
        public final String region = "eu";

        public String getPrefix() {
            return "shop-";
        }

        public String join(String left, String right) {
            return left + right;
        }

        public String place(
                Order order, List<Order> orders, Map<String, Order> map, Optional<Order> optional, int amount) {
            return order.id() + orders + map + optional + amount;
        }
    }

    private final Shop shop = new Shop();
    private final Method place = List.of(Shop.class.getMethods()).stream()
            .filter(method -> method.getName().equals("place"))
            .findFirst()
            .orElseThrow();
    private final StaticListableBeanFactory beans = new StaticListableBeanFactory(Map.of("tenants", new Tenants()));

    private MethodExpression expression(String text) {
        return MethodExpression.of("Shop.place: its key", text, place, Shop.class, beans);
    }

    private MethodBasedEvaluationContext call() {
        var order = new Order("7", new Customer("Eve"));
        Object[] arguments = {order, List.of(order), Map.of("id", order), Optional.of(order), 3};
        var context = new MethodBasedEvaluationContext(shop, place, arguments, MethodExpression.NAMES);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        return context;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "order.id | uses 'order' without #, but the bean MethodExpressionTest.Shop has no such property. Did you mean #order.id?",
                "'a-' + order.id | Did you mean 'a-' + #order.id?",
                "#order.id + amount | Did you mean #order.id + #amount?",
                "join(order.id, 'x') | Did you mean join(#order.id, 'x')?",
                "#orders[amount + 1].id | Did you mean #orders[#amount + 1].id?",
                "amount > 1 ? 'many' : 'one' | Did you mean #amount > 1",
                "fixed | uses 'fixed' without #, but the bean MethodExpressionTest.Shop has no such property. Parameters are written with #. Use one of #order",
                "nextKey() | uses 'nextKey' without #, but the bean MethodExpressionTest.Shop has no such method",
                "order() | Did you mean #order()?",
                "join('one') | has no such method",
                "#root.prefx | uses 'prefx', but MethodExpressionTest.Shop has no such property",
                "#oder.id | uses #oder, but the method has no such parameter",
                "#next(1) | there are no functions",
                "#order.number | uses 'number', but MethodExpressionTest.Order has no such property",
                "#order.customer.nme | uses 'nme', but MethodExpressionTest.Customer has no such property",
                "#order.customer().title() | has no such method",
                "#map.id | Map has no such property. Read an entry of a map as ['id']",
                "#amount.cents | uses 'cents', but Integer has no such property",
                "@tenant.current() | uses @tenant, but there is no such bean",
                "#order | is MethodExpressionTest.Order, but its value has to be text, a number, an enum or a UUID. Write what identifies it, such as #order.id.",
                "#order.customer | is MethodExpressionTest.Customer",
                "#this | is MethodExpressionTest.Shop",
            })
    void expressionThatWouldFailAtEachCallIsRefused(String text, String because) {
        assertThatThrownBy(
                        () -> new SpelExpressionParser().parseExpression(text).getValue(call(), String.class))
                .as("at the call")
                .isInstanceOf(EvaluationException.class);

        assertThatThrownBy(() -> expression(text))
                .isInstanceOf(RefrainStartException.class)
                .hasMessageContaining("Shop.place: its key expression '" + text + "' ")
                .hasMessageContaining(because);
    }

    /** At three in the morning the log names the method and its expression, not a line of SpEL alone. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "#orders[1].id | is invalid",
                "#map['none'].id | cannot be found on null",
                "#map['none'] | is null",
            })
    void expressionThatFailsForTheArgumentsOfACallIsNamed(String text, String because) {
        assertThatThrownBy(() -> expression(text).value(call()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Shop.place: its key, " + text + ", ")
                .hasMessageContaining(because)
                .hasMessageEndingWith("Nothing ran.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#order.id",
                "#amount",
                "#orders.![id]",
                "#a0.customer.name",
                "#order?.customer?.name()",
                "prefix + #order.id",
                "region",
                "join(prefix, #order.id)",
                "#root.prefix",
                "#this.prefix",
                "'constant'",
                "#orders[0].id",
                "#orders.?[id == '7'].size()",
                "#map[id].id",
                "#map['id'].id",
                "#map.size()",
                "#map.empty",
                "{id: #order.id}.toString()",
                "#optional.get().id",
                "#optional.present",
                "#amount + 1",
                "#amount.hashCode()",
                "T(java.util.Objects).hash(#order)",
                "new java.math.BigDecimal(#amount).scale()",
                "@tenants.current() + #order.id",
            })
    void expressionThatYieldsValueIsAccepted(String text) {
        assertThat(expression(text).value(call())).isNotEmpty();
    }
}
