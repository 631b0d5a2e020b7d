import type { LintRule } from '../lint-rule.js';

/**
 * Reports a process or sub-process with a start event and no end event. BPMN 2.0, 10.5.3: "If there is a Start Event,
 * then there MUST be at least one End Event." Zeebe and this engine execute it anyway: its tokens end at elements
 * without outgoing flows.
 */
export const missingEndEvent: LintRule = {
  name: 'missing-end-event',
  check: ({ scopes, report }) => {
    for (const { id, nodes } of scopes) {
      const kinds = new Set([...nodes.values()].map(({ kind }) => kind));
      if (!kinds.has('startEvent') || kinds.has('endEvent')) continue;
      report('warning', id, 'There is a start event, but no end event. Add an end event to show where the flow ends.');
    }
  },
};
