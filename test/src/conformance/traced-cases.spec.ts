import { describeSet } from './conformance.spec.support.js';
import { runTraced } from './run-all.js';

describeSet('Conformance: cases judged by their markers', ({ traced }) => traced.map(({ group }) => group), runTraced);
