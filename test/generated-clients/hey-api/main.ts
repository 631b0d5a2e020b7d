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
  const [pendingApproval] = approvals.items;
  if (pendingApproval === undefined) throw new Error('No approval is pending.');
  const { data: decidedApproval } = await decideApproval({
    client: approver,
    throwOnError: true,
    path: { approvalId: pendingApproval.approvalId },
    body: { decision: 'approve', expectedDigest: pendingApproval.digest },
  });
  if (decidedApproval.status !== 'approved') throw new Error(`The approval is ${decidedApproval.status}.`);
  console.log(run.runId);
}

void main();
