/**
 * DMN 1.3 as Zeebe 8.6 (dmn-scala) evaluates it: decision tables and literal expressions, compiled once, within the
 * limits of FEEL.
 *
 * Differences from Zeebe:
 * - A DMN decision that several others require is evaluated once and appears once in the trail; Zeebe evaluates it for
 *   each of them.
 * - Output values are ordered as FEEL values. Zeebe splits their text at commas, even within quotes, and sorts the
 *   ranks as text, so that the eleventh comes before the third.
 * - Refused at deployment, although Zeebe accepts them: boxed contexts, lists, relations, functions and invocations,
 *   knowledge models, decision services, item definitions; too many or too few entries; two results or two outputs with
 *   the same name; output values that define an order but are missing or are not strings or numbers; columns and rules
 *   without an id (Zeebe fails at evaluation: camunda/camunda#40889); an aggregation without COLLECT; DMN versions
 *   other than 1.3.
 */
export { compileDecisions } from './compile-decisions.js';
export { computeDecisionsDigest } from './decisions-digest.js';
export { defineDecision } from './define-decision.js';
