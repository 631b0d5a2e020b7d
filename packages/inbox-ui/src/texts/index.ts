import { absence } from './en/absence.js';
import { app, keys, palette, problems, time } from './en/app.js';
import { approvals } from './en/approvals.js';
import { diagram } from './en/diagram.js';
import { forms } from './en/forms.js';
import { step } from './en/run-step.js';
import { roles, session } from './en/session.js';
import { ui, views } from './en/ui.js';
import { approvalStatus, decisions, risk, runStatus, stepStatus } from './en/status-labels.js';

/** All texts of the inbox in English, one section per area. A translation is an object of the same shape. */
export const texts = Object.freeze({
  absence,
  app,
  approvals,
  approvalStatus,
  decisions,
  diagram,
  forms,
  keys,
  palette,
  problems,
  risk,
  roles,
  runStatus,
  session,
  step,
  stepStatus,
  time,
  ui,
  views,
});
