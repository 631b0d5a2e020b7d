import { texts as shared } from '@countersign/inbox-ui/texts/index';
import { bpmnTypes } from './en/bpmn.js';
import { inboundEvents } from './en/inbound-events.js';
import { policies } from './en/policies.js';
import { run } from './en/run.js';
import { artifacts, conversation, runApprovals } from './en/run-parts.js';
import { runEvents } from './en/run-events.js';
import { timeTravel } from './en/run-time-travel.js';
import { runs } from './en/runs.js';
import { settings } from './en/settings.js';
import { workflows } from './en/workflows.js';

/**
 * All texts of the web UI in English: the texts of the inbox and a section for each further area. A translation is
 * another object of the same shape.
 */
export const texts = Object.freeze({
  ...shared,
  artifacts,
  bpmnTypes,
  conversation,
  inboundEvents,
  policies,
  run,
  runApprovals,
  runEvents,
  runs,
  settings,
  timeTravel,
  workflows,
});
