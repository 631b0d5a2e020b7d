import { parseIsoDate } from '@countersign/model';
import type { LintRule } from '../lint-rule.js';

/** Reports a timer with a fixed date in the past, which is due immediately in every run. */
export const timerInPast: LintRule = {
  name: 'timer-in-past',
  check: ({ graph, now, report }) => {
    for (const node of graph.nodes.values()) {
      if (!('triggers' in node)) continue;
      for (const trigger of node.triggers) {
        if (trigger.kind !== 'timer' || trigger.timer !== 'date' || !('literal' in trigger.value)) continue;
        const date = parseIsoDate(trigger.value.literal);
        if (date === undefined || date >= now) continue;
        report(
          'warning',
          node.id,
          `The timer date ${trigger.value.literal} is in the past, so the timer is due immediately. Set a later date, or read it from a variable.`,
        );
      }
    }
  },
};
