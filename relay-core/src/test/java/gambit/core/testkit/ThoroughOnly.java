package gambit.core.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks tests that an ordinary build leaves to CI, because a shorter test of the same subject is in
 * every build. They run with {@code -Dgambit.thorough=true}, with {@code -Dgambit.long=true}, and
 * if {@code -Dtest} or {@code -Dit.test} names them.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("thorough")
public @interface ThoroughOnly {}
