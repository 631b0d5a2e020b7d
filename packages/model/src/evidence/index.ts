/**
 * Checks for evidence packs and exported audit trails, and the readers of histories that they use, for tools without a
 * server.
 */
export * from './approval-history.js';
export * from './read-artifact.js';
export * from './find-audit-erasures.js';
export * from './coverage-gap.js';
export * from './find-decisions.js';
export * from './find-erasures.js';
export type * from './evidence-check.js';
export type * from './integrity-problem.js';
export * from './recorded-facts.js';
export * from './read-shown-evidence.js';
export * from './verify-audit-trail.js';
export * from './verify-evidence-pack.js';
export * from './verify-evidence.js';
