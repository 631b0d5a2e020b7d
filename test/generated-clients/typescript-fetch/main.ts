// Starts a run, uploads an artifact and approves the run with the client of OpenAPI Generator (typescript-fetch).
import { readFileSync } from 'node:fs';
import { ApprovalsApi, ArtifactsApi, ApprovalStatus, Configuration, Decision, RunsApi } from './client/index';

const { COUNTERSIGN_URL: basePath = '', WORKFLOW_ID: workflowId = '', ARTIFACT_FILE: file = '' } = process.env;
const operator = new Configuration({ basePath, accessToken: process.env['OPERATOR_TOKEN'] ?? '' });
const approver = new Configuration({ basePath, accessToken: process.env['APPROVER_TOKEN'] ?? '' });

async function main(): Promise<void> {
  const run = await new RunsApi(operator).startRun({ startRun: { workflowId, inputs: { version: '1.4.0' } } });

  const body = new Blob([readFileSync(file)]);
  const artifact = await new ArtifactsApi(operator).uploadArtifact({
    runId: run.runId,
    artifactName: 'notes.txt',
    body,
  });
  if (artifact.size !== body.size) throw new Error(`The artifact has ${artifact.size} bytes.`);

  const approvals = new ApprovalsApi(approver);
  const [pendingApproval] = (await approvals.listApprovals({ runId: run.runId })).items;
  if (pendingApproval === undefined) throw new Error('No approval is pending.');
  const { status } = await approvals.decideApproval({
    approvalId: pendingApproval.approvalId,
    decideApproval: { decision: Decision.DECISION_APPROVE, expectedDigest: pendingApproval.digest },
  });
  if (status !== ApprovalStatus.APPROVAL_STATUS_APPROVED) throw new Error(`The approval is ${status}.`);
  console.log(run.runId);
}

void main();
