export * from '@countersign/inbox-ui/texts/en/index';
export { bpmnTypes } from './bpmn.js';
<<<<<<< HEAD
export { firstSteps } from './first-steps.js';
=======
export { evidence } from './evidence.js';
>>>>>>> ddf2fc48 (feat(web): show and check the evidence of a run)
export { inboundEvents } from './inbound-events.js';
export { policies } from './policies.js';
export { runEvents } from './run-events.js';
export { artifacts, conversation, runApprovals } from './run-parts.js';
export { timeTravel } from './run-time-travel.js';
export { run } from './run.js';
export { runs } from './runs.js';
export { settings } from './settings.js';
export { workflows } from './workflows.js';
