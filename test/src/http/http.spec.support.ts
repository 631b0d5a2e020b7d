export { expectProblem, waitForApproval, waitForEnd } from '@countersign/testing';
