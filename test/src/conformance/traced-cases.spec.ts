import { describeSet } from './conformance.spec.support.js';
import { runTraced } from './run-all.js';

describeSet('Conformance: cases told by their markers', ({ traced }) => traced.map(({ group }) => group), runTraced);
