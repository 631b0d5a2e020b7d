import type { Severity } from '@countersign/bpmn/lint';

interface RuleSettings {
  readonly severity: Severity;
  /** How to fix the finding; bpmnlint gives no advice. */
  readonly advice: string;
}

/**
 * Rules of bpmnlint that report more than the engine and our own rules do.
 *
 * The other rules of its recommended set are omitted:
 * - ad-hoc-sub-process, conditional-flows, event-based-gateway, event-sub-process-typed-start-event, link-event,
 *   no-disconnected, no-implicit-start, single-blank-start-event, start-event-required, sub-process-blank-start-event:
 *   the compiler refuses these models and gives the reason.
 * - end-event-required: our missing-end-event also reports it at deployment.
 * - fake-join: two flows into a task are a valid exclusive merge; our merged-without-waiting reports the harmful
 *   cases.
 * - no-complex-gateway, no-inclusive-gateway, single-event-definition: the engine executes all of these.
 * - label-required, superfluous-label, no-bpmndi, no-overlapping-elements: the appearance of a diagram does not affect
 *   the behaviour of the process.
 */
export const BPMNLINT_RULES: Readonly<Record<string, RuleSettings>> = {
  // An implicit end is often a forgotten flow.
  'no-implicit-end': {
    severity: 'info',
    advice: 'The token ends here. If this is intended, add a flow to an end event.',
  },
  // Unused messages, signals, errors and escalations are leftovers, or a reference is missing.
  'global': { severity: 'warning', advice: 'Name it, use it, or remove it.' },
  // Two flows from a task to the same target produce two tokens.
  'no-duplicate-sequence-flows': { severity: 'warning', advice: 'Keep one of the two flows.' },
  // The engine executes an implicit split as a parallel split, which many authors do not intend.
  'no-implicit-split': {
    severity: 'warning',
    advice:
      'All of its flows are taken, in parallel. Add a parallel gateway to show this, or an exclusive gateway to take only one flow.',
  },
  // The engine executes these elements, but they make a model harder to read.
  'no-gateway-join-fork': { severity: 'info', advice: 'Use two gateways: one to join and one to split.' },
  'superfluous-gateway': { severity: 'info', advice: 'Remove it.' },
  'superfluous-termination': { severity: 'info', advice: 'A plain end event does the same.' },
};

/**
 * Rules of bpmnlint with the refusal codes of the engine for the same problem, so that a problem is reported only once.
 */
export const REFUSAL_CODES_BY_RULE: Readonly<Record<string, readonly string[]>> = {
  'no-implicit-end': ['missing_outgoing', 'missing_incoming'],
  'superfluous-gateway': ['gateway_direction'],
  'no-gateway-join-fork': ['gateway_direction'],
};
