package dev.refrain.spring.internal.transaction;

import java.lang.reflect.Method;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/** Asks transaction managers of JDBC, JPA or Hibernate, and factories of entity managers, for their DataSource. */
final class ManagerDataSources {

    private ManagerDataSources() {}

    /** Returns the DataSource as it was given to the manager; null if it has or tells none. JPA and Hibernate need not be on the class path. */
    static @Nullable DataSource find(Object manager) {
        Method asked = ReflectionUtils.findMethod(manager.getClass(), "getDataSource");
        if (asked == null || !DataSource.class.isAssignableFrom(asked.getReturnType())) {
            return null;
        }
        ReflectionUtils.makeAccessible(asked);
        return (DataSource) ReflectionUtils.invokeMethod(asked, manager);
    }
}
