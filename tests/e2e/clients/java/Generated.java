package javax.annotation;

/** Marks generated code. Java no longer contains this annotation since version 11. */
public @interface Generated {
  String[] value();

  String date() default "";

  String comments() default "";
}
