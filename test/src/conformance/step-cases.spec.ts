import { describeSet } from './conformance.spec.support.js';
import { runSteps } from './run-all.js';

describeSet('Conformance: step-by-step cases', ({ steps }) => steps.map(({ group }) => group), runSteps);
