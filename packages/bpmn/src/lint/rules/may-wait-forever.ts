import type { LintRule } from '../lint-rule.js';
import { areCompatible, describeChoices } from './choices.js';
import { findDeadJoins } from './never-joins.js';

/**
 * Reports a parallel gateway that in some runs waits for a token that took another path ("local deadlock": W. Sadiq and
 * M. E. Orlowska, "Analyzing Process Models Using Graph Reduction Techniques", 2000).
 */
export const mayWaitForever: LintRule = {
  name: 'may-wait-forever',
  check: ({ scopes, report }) => {
    for (const scope of scopes) {
      const { tokens, isInterruptible } = scope;
      if (tokens.analysis === null || isInterruptible) continue;
      const reported = new Set(findDeadJoins(scope).map(({ join }) => join));
      // A gateway that never joins also blocks the gateways after it. The rule `never-joins` reports it.
      if (reported.size > 0) continue;
      for (const { places, choices } of tokens.analysis.deadlocks) {
        if (!areCompatible(choices)) continue;
        for (const place of places) {
          const { elementId, flowId } = tokens.net.places[place] ?? {};
          if (elementId === undefined || flowId === undefined || flowId === null || reported.has(elementId)) continue;
          reported.add(elementId);
          const message = `This gateway waits forever${describeChoices(choices)}: a token arrives by flow "${flowId}", but no token can arrive by another flow that it waits for. Connect every parallel path to this gateway, or end the other path with a terminate end event.`;
          report('warning', elementId, message);
        }
      }
    }
  },
};
