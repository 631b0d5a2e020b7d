// Starts a run, uploads an artifact and approves the run with the client of @hey-api/openapi-ts.
import { readFileSync } from 'node:fs';
import { createClient } from './client/client';
import { decideApproval, listApprovals, startRun, uploadArtifact } from './client/sdk.gen';

const { COUNTERSIGN_URL: baseUrl = '', WORKFLOW_ID: workflowId = '', ARTIFACT_FILE: file = '' } = process.env;
const operator = createClient({ baseUrl, auth: process.env['OPERATOR_TOKEN'] ?? '' });
const approver = createClient({ baseUrl, auth: process.env['APPROVER_TOKEN'] ?? '' });

async function main(): Promise<void> {
  const { data: run } = await startRun({
    client: operator,
    throwOnError: true,
    body: { workflowId, inputs: { version: '1.4.0' } },
  });

  const body = new Blob([readFileSync(file)]);
  const { data: artifact } = await uploadArtifact({
    client: operator,
    throwOnError: true,
    path: { runId: run.runId, artifactName: 'notes.txt' },
    body,
  });
  if (artifact.size !== body.size) throw new Error(`The artifact has ${artifact.size} bytes.`);

  const { data: approvals } = await listApprovals({
    client: approver,
    throwOnError: true,
    query: { runId: run.runId },
  });
  const [pending] = approvals.items;
  if (pending === undefined) throw new Error('No approval is pending.');
  const { data: decided } = await decideApproval({
    client: approver,
    throwOnError: true,
    path: { approvalId: pending.approvalId },
    body: { decision: 'approve', expectedDigest: pending.digest },
  });
  if (decided.status !== 'approved') throw new Error(`The approval is ${decided.status}.`);
  console.log(run.runId);
}

void main();
