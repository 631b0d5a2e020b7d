/**
 * FEEL, the expression language of DMN 1.3, as Zeebe 8.6 speaks it: compiled once to closures, evaluated within counted
 * bounds, never by generating code. Numbers are IEEE doubles with the rounding noise of computations taken off
 * (0.1 + 0.2 = 0.3); Camunda's have 34 decimal digits. Temporal values are exact to the millisecond.
 */
export { compileExpression, compileUnaryTests } from './compile-expression.js';
export type { FeelContext, FeelExpression, FeelUnaryTests } from './compile-expression.js';
export type { FeelLimits } from './budget.js';
export { FeelEvaluation } from './evaluation.js';
export { FeelAssertionError, FeelLimitError, FeelSyntaxError } from './errors.js';
export type { FeelLimitName } from './errors.js';
export { BUILTIN_NAMES, BUILTINS_BEYOND_ZEEBE_8_6 } from './builtins/registry.js';
export { decimal } from './values.js';
export type { FeelKind, Json } from './values.js';
