package javax.annotation;

/** What generated code is marked with; Java has not brought it along since version 11. */
public @interface Generated {
  String[] value();

  String date() default "";

  String comments() default "";
}
