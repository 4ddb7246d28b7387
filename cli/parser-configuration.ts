/** Everything is read as text: the declarations define what a value means, and check it. */
export const asText = {
  'boolean-negation': false,
  'camel-case-expansion': false,
  'dot-notation': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'short-option-groups': false,
  'populate--': true,
  'strip-aliased': true,
  'duplicate-arguments-array': true,
} as const
