/** Check for evidence packs that needs nothing of Node.js, for browsers. */
export type { CoverageGap, CoverageGapCode } from './coverage-gap.js';
export type * from './evidence-check.js';
export type { IntegrityProblem, IntegrityProblemCode } from './integrity-problem.js';
export * from './verify-evidence-pack-async.js';
