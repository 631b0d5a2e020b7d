/** Context of the engine calls of cases that no request makes. */
export const CASE_CONTEXT = Object.freeze({
  actor: { type: 'system', id: 'test-case', name: 'Test case' },
  from: null,
  traceId: null,
} as const);
