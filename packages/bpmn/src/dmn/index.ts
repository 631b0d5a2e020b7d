/**
 * DMN 1.3 as Zeebe 8.6 (dmn-scala) evaluates it: decision tables and literal expressions, compiled once, within the
 * bounds of FEEL.
 *
 * What differs from Zeebe:
 * - A decision that several others require is evaluated once, and stands in the trail once; Zeebe does it for each.
 * - Output values give an order as FEEL values. Zeebe splits their text at commas, also within quotes, and sorts the
 *   ranks as text, so that the eleventh comes before the third.
 * - Refused when deployed, where Zeebe goes on: boxed contexts, lists, relations, functions and invocations, knowledge
 *   models, decision services, item definitions; entries that are too many or too few; two results, or two outputs, of
 *   one name; output values that are no texts or numbers, or missing, where they give an order; columns and rules without
 *   an id (Zeebe fails when it evaluates these: camunda/camunda#40889); an aggregation without COLLECT; other versions of
 *   DMN than 1.3.
 */
export { compileDecisions } from './compile-decisions.js';
export { decisionsDigest } from './decisions-digest.js';
export { defineDecision } from './define-decision.js';
