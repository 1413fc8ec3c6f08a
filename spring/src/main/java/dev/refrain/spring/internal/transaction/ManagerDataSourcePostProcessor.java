package dev.refrain.spring.internal.transaction;

import java.lang.reflect.Method;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.util.ReflectionUtils;

/**
 * Gives JPA, and JDBC transaction managers other than Spring's plain ones, their DataSource as a {@link BorrowerAwareDataSource}: their
 * transactions begin on the caller's own thread only, which could not stop waiting for a pool that validates a connection on a silent
 * network. The DataSource bean itself stays as it is.
 */
public final class ManagerDataSourcePostProcessor implements BeanPostProcessor {

    /** Need not be on the class path. */
    private static final String JPA = "org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean";

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (isJpa(bean.getClass())) {
            Method setter = ReflectionUtils.findMethod(bean.getClass(), "setDataSource", DataSource.class);
            var pool = ManagerDataSources.find(bean);
            if (setter != null && pool != null && !(pool instanceof TransactionAwareDataSourceProxy)) {
                ReflectionUtils.invokeMethod(setter, bean, new BorrowerAwareDataSource(pool));
            }
        }
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof DataSourceTransactionManager manager && !SpringTransactionSource.isPlain(manager)) {
            var pool = manager.getDataSource();
            if (pool != null) {
                manager.setDataSource(new BorrowerAwareDataSource(pool));
            }
        }
        return bean;
    }

    private static boolean isJpa(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (each.getName().equals(JPA)) {
                return true;
            }
        }
        return false;
    }
}
