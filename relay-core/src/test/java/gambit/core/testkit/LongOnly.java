package gambit.core.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks tests that CI leaves out as well, because another one of nearly the same subject takes
 * less. They run with {@code -Dgambit.long=true}, and if {@code -Dtest} or {@code -Dit.test} names
 * them.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("long")
public @interface LongOnly {}
