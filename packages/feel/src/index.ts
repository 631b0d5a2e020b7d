/**
 * FEEL, the expression language of DMN 1.3, in the dialect of Zeebe 8.6. Expressions are compiled once to closures,
 * without generating code, and are evaluated within counted limits. Numbers have 34 decimal digits (DMN 1.3,
 * 10.3.2.3.1) and are returned as JSON numbers: a fraction as the nearest double; a whole number that a double cannot
 * represent is an error. Temporal values are exact to the millisecond.
 */
export { compileExpression, compileUnaryTests } from './compile-expression.js';
export type { FeelContext, FeelExpression, FeelUnaryTests } from './compile-expression.js';
export type { FeelLimits } from './budget.js';
export { FeelEvaluation } from './evaluation.js';
export { FeelAssertionError, FeelLimitError, FeelNumberError, FeelSyntaxError } from './errors.js';
export type { FeelLimitName } from './errors.js';
export { BUILTIN_NAMES, BUILTINS_BEYOND_ZEEBE_8_6 } from './builtins/registry.js';
export { sum } from './numbers/arithmetic.js';
export { compareNumbers, isNumber, formatNumber } from './numbers/decimal.js';
export type { FeelNumber } from './numbers/decimal.js';
export type { FeelKind, Json } from './values.js';
