import { describeSet } from './conformance.spec.support.js';
import { runSteps } from './run-all.js';

describeSet('Conformance: cases step by step', ({ steps }) => steps.map(({ group }) => group), runSteps);
