import { PolicyPort, type SettingsTestContribution } from '@countersign/core';
import type { Services } from '../app/services.js';

/** A sample step for the test. */
const SAMPLE_STEP = {
  runId: '00000000-0000-7000-8000-000000000000',
  workflowId: 'settings-test',
  workflowVersion: 1,
  workflowDigest: `sha256:${'0'.repeat(64)}`,
  elementId: 'sample',
  elementName: null,
  stepType: 'serviceTask',
  jobType: 'sample',
  headers: {},
  properties: {},
  inputs: {},
  agentName: null,
  call: null,
  effect: null,
  hosts: [],
  ports: [],
  taint: [],
  startedBy: 'settings-test',
  runRisk: 'low',
} as const;

/** Creates the settings test that evaluates the active policy for a sample step. */
export function createPolicyTest({ host }: Pick<Services, 'host'>): SettingsTestContribution {
  return {
    target: 'policy',
    checks: () => [
      {
        name: 'the policy evaluates a sample step',
        run: async () => {
          const { decision, policyId, policyDigest } = host.get(PolicyPort).current()(SAMPLE_STEP);
          return `${policyId} (${policyDigest}) returned ${decision}.`;
        },
      },
    ],
  };
}
