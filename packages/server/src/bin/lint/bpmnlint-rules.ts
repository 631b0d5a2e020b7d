import type { Severity } from '@countersign/bpmn/lint';

interface UsedRule {
  readonly severity: Severity;
  /** What to do about it, as bpmnlint does not say that. */
  readonly advice: string;
}

/**
 * Rules of bpmnlint that say something that the engine and our own rules don't.
 *
 * The others of its recommended set are left out:
 * - ad-hoc-sub-process, conditional-flows, event-based-gateway, event-sub-process-typed-start-event, link-event,
 *   no-disconnected, no-implicit-start, single-blank-start-event, start-event-required, sub-process-blank-start-event: the
 *   compiler refuses what they find, and says why.
 * - end-event-required: our missing-end-event says it at a deployment too.
 * - fake-join: two flows into a task are an exclusive merge, which is fine; our merged-without-waiting proves where not.
 * - no-complex-gateway, no-inclusive-gateway, single-event-definition: all of that is executed.
 * - label-required, superfluous-label, no-bpmndi, no-overlapping-elements: how a diagram looks is no matter of what it does.
 */
export const BPMNLINT_RULES: Readonly<Record<string, UsedRule>> = {
  // A token that comes to nobody's end is easily a flow that was forgotten.
  'no-implicit-end': {
    severity: 'info',
    advice: 'The token ends here. Lead a flow to an end event where that is meant.',
  },
  // Messages, signals, errors and escalations that nothing uses are left over, or a reference is missing.
  'global': { severity: 'warning', advice: 'Name it, use it, or remove it.' },
  // From a task, two flows to one place are two tokens.
  'no-duplicate-sequence-flows': { severity: 'warning', advice: 'Keep one of the two flows.' },
  // It is executed, as a parallel split, which many who draw it do not mean.
  'no-implicit-split': {
    severity: 'warning',
    advice: 'All of its flows are taken, in parallel. Say so by a parallel gateway, or choose by an exclusive one.',
  },
  // They are executed, and hard to read.
  'no-gateway-join-fork': { severity: 'info', advice: 'Use two gateways, one that joins and one that splits.' },
  'superfluous-gateway': { severity: 'info', advice: 'Remove it.' },
  'superfluous-termination': { severity: 'info', advice: 'A plain end event does the same.' },
};

/** Rules of bpmnlint whose findings the engine refuses as well, by its code: on one element that is said once. */
export const SAID_BY_REFUSAL: Readonly<Record<string, readonly string[]>> = {
  'no-implicit-end': ['missing_outgoing', 'missing_incoming'],
  'superfluous-gateway': ['gateway_direction'],
  'no-gateway-join-fork': ['gateway_direction'],
};
