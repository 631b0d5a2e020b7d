import { absence } from './en/absence.js';
import { app, keys, palette, problems, time } from './en/app.js';
import { bpmnTypes } from './en/bpmn.js';
import { approvals } from './en/approvals.js';
import { diagram } from './en/diagram.js';
import { forms } from './en/forms.js';
import { inboundEvents } from './en/inbound-events.js';
import { policies } from './en/policies.js';
import { run } from './en/run.js';
import { artifacts, conversation, runApprovals } from './en/run-parts.js';
import { runEvents } from './en/run-events.js';
import { timeTravel } from './en/run-time-travel.js';
import { step } from './en/run-step.js';
import { runs } from './en/runs.js';
import { roles, session } from './en/session.js';
import { settings } from './en/settings.js';
import { ui } from './en/ui.js';
import { approvalStatus, decisions, risk, runStatus, stepStatus } from './en/words.js';
import { workflows } from './en/workflows.js';

/** Every text that people read, in English; one section for each area. Another language is another object of this shape. */
export const texts = Object.freeze({
  absence,
  app,
  approvals,
  approvalStatus,
  bpmnTypes,
  decisions,
  diagram,
  forms,
  inboundEvents,
  keys,
  palette,
  policies,
  problems,
  risk,
  roles,
  run,
  artifacts,
  conversation,
  runApprovals,
  runEvents,
  runs,
  runStatus,
  session,
  settings,
  step,
  stepStatus,
  time,
  timeTravel,
  ui,
  workflows,
});
