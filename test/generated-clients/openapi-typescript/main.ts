// Starts a run, uploads an artifact and approves the run with the types of openapi-typescript and with openapi-fetch.
import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import type { paths } from './client/api';

const { COUNTERSIGN_URL: baseUrl = '', WORKFLOW_ID: workflowId = '', ARTIFACT_FILE: file = '' } = process.env;

const createAuthorizedClient = (token = '') =>
  createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
const operator = createAuthorizedClient(process.env['OPERATOR_TOKEN']);
const approver = createAuthorizedClient(process.env['APPROVER_TOKEN']);

async function main(): Promise<void> {
  const { data: run, error } = await operator.POST('/api/runs', {
    body: { workflowId, inputs: { version: '1.4.0' } },
  });
  if (run === undefined) throw new Error(error.detail ?? error.title);

  const content = readFileSync(file, 'utf8');
  const { data: artifact, error: uploadError } = await operator.POST('/api/runs/{runId}/artifacts/{artifactName}', {
    params: { path: { runId: run.runId, artifactName: 'notes.txt' } },
    headers: { 'content-type': 'application/octet-stream' },
    body: content,
    bodySerializer: (text) => text,
  });
  if (artifact === undefined) throw new Error(uploadError.detail ?? uploadError.title);
  if (artifact.size !== Buffer.byteLength(content)) throw new Error(`The artifact has ${artifact.size} bytes.`);

  const { data: approvals } = await approver.GET('/api/approvals', { params: { query: { runId: run.runId } } });
  const pendingApproval = approvals?.items[0];
  if (pendingApproval === undefined) throw new Error('No approval is pending.');
  const { data: decidedApproval, error: decisionError } = await approver.POST('/api/approvals/{approvalId}/decision', {
    params: { path: { approvalId: pendingApproval.approvalId } },
    body: { decision: 'approve', expectedDigest: pendingApproval.digest },
  });
  if (decidedApproval === undefined) throw new Error(decisionError.detail ?? decisionError.title);
  if (decidedApproval.status !== 'approved') throw new Error(`The approval is ${decidedApproval.status}.`);
  console.log(run.runId);
}

void main();
