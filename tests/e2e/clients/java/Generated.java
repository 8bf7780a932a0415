package javax.annotation;

/** Marker of generated code, which Java removed in version 11. */
public @interface Generated {
  String[] value();

  String date() default "";

  String comments() default "";
}
