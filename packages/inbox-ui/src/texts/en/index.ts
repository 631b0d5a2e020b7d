export { absence } from './absence.js';
export { app, keys, palette, problems, time } from './app.js';
export { approvals } from './approvals.js';
export { diagram } from './diagram.js';
export { forms } from './forms.js';
export { step } from './run-step.js';
export { roles, session } from './session.js';
export { approvalStatus, risk, runStatus, stepStatus } from './status-labels.js';
export { ui, views } from './ui.js';
