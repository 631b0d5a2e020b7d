// Starts the server of the screenshots, with the examples and a temporary data directory. Creates runs in each state
// that a user sees, only through the API.
import { spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@countersign/contract';
import { buildReleaseNewsModel, buildReleaseModels } from './models.mjs';
import { createShopRepository } from './shop.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const example = (path) => join(root, 'examples', path);

export async function startDemo() {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-demo-'));
  const repository = join(directory, 'shop');
  const [codehost, receiver] = await Promise.all([startCodehost(), startReceiver(), createShopRepository(repository)]);
  const secrets = { codehost: randomBytes(24).toString('hex'), ci: randomBytes(24).toString('hex') };
  const server = await startServer(directory, { codehost: codehost.url, receiver: receiver.url }, repository, secrets);
  const client = async (subject, role, groups = []) => {
    const { access_token: token } = await createClient({ baseUrl: server.url }).createToken({
      body: { subject, role, name: NAMES[subject], groups },
    });
    return createClient({ baseUrl: server.url, token });
  };
  return {
    url: server.url,
    client,
    secrets,
    repository,
    token: async (subject, role, groups = []) =>
      (
        await createClient({ baseUrl: server.url }).createToken({
          body: { subject, role, name: NAMES[subject], groups },
        })
      ).access_token,
    stop: async () => {
      await Promise.all([server.stop(), codehost.stop(), receiver.stop()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const NAMES = { ann: 'Ann Ferreira', bob: 'Bob Okafor', cleo: 'Cleo Tan', dana: 'Dana Brandt' };

/**
 * HTTP status codes that the endpoints of the workflow "Release news" return: one accepts, one is down, one no longer
 * exists.
 */
const RECEIVER_STATUS_CODES = { 'release-desk': 204, 'warehouse': 503, 'archive': 410 };

const ISSUES = {
  7: {
    title: 'Totals are rounded twice',
    body: 'An order of 3 × 0.335 comes to 1.02 in the basket, and to 1.01 on the invoice.',
  },
  8: { title: 'Discounts are shown twice', body: 'The basket shows the discount on the line and again below.' },
};

/** Starts a code host that offers the parts that the agent reads. */
async function startCodehost() {
  const server = createServer((request, response) => {
    const number = Number(/\/issues\/(\d+)/.exec(request.url ?? '')?.[1]);
    const found = ISSUES[number];
    const issue = {
      id: number,
      number,
      ...found,
      state: 'open',
      user: { login: 'dana' },
      labels: [],
      comments: 0,
      created_at: '2026-11-20T09:00:00Z',
      updated_at: '2026-11-20T09:00:00Z',
      assignees: [],
      html_url: `https://git.example/acme/shop/issues/${number}`,
    };
    const list = /\/(comments|labels)$/.test(request.url ?? '');
    response
      .writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(found === undefined ? { message: 'Not Found' } : list ? [] : issue));
  });
  return listen(server);
}

const startReceiver = () =>
  listen(
    createServer((request, response) =>
      response.writeHead(RECEIVER_STATUS_CODES[request.url?.slice(1) ?? ''] ?? 404).end(),
    ),
  );

async function listen(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function startServer(directory, { codehost, receiver }, repository, secrets) {
  const configuration = {
    Plugins: [example('release-approval')],
    Workflows: { Directory: [example('issue-triage/workflows'), example('ci-gate/workflows')] },
    Examples: { ReleaseApproval: { RepositoryRoots: [repository] } },
    Agents: {
      Directory: [example('issue-triage/agents')],
      DefaultModel: { Provider: 'scripted', Name: 'triage' },
      CodeHost: { Repositories: ['acme/shop'] },
    },
    Models: { Scripted: { Directory: example('issue-triage/models') } },
    Connectors: {
      CodeHost: { BaseUrl: codehost, Token: 'any-token-will-do' },
      AllowedNetworks: ['127.0.0.0/8'],
      Notify: {
        Endpoints: Object.keys(RECEIVER_STATUS_CODES).map((Id) => ({
          Id,
          Url: `${receiver}/${Id}`,
          Secret: `whsec_${randomBytes(32).toString('base64')}`,
        })),
        RetryAfter: ['PT5M', 'PT1H'],
      },
    },
    Integrations: {
      CodeHost: { Secret: secrets.codehost },
      EventIngress: {
        Enabled: true,
        Sources: [{ Id: 'ci', Secret: secrets.ci, AllowedMessageNames: ['ci.passed', 'ci.failed'] }],
      },
    },
  };
  const file = join(directory, 'countersign.json');
  await writeFile(file, JSON.stringify(configuration));
  const args = ['start', '--development', '--port', '0', '--data', join(directory, 'data'), '--config', file];
  const child = spawn(process.execPath, [join(root, 'packages/server/bin/countersign.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const url = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        const found = /runs on (\S+)[\s\S]*Press Ctrl-C to stop/.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
    }
    child.once('exit', () => reject(new Error(`The server did not start:\n${output}`)));
  });
  return {
    url,
    stop: async () => {
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}

/** Creates the runs. @returns the ids that the screenshots need */
export async function createDemoRuns({ url, client, repository, secrets }) {
  const ann = await client('ann', 'operator');
  const bob = await client('bob', 'approver', ['maintainers']);
  const dana = await client('dana', 'admin');
  const startRelease = (from, version) =>
    ann.startRun({
      body: {
        workflowId: 'release-approval',
        businessKey: `release-${version}`,
        inputs: { repository, from, to: 'HEAD', version },
      },
    });
  const models = await buildReleaseModels(example('release-approval/workflows/release-approval.bpmn'));

  await dana.deployWorkflow({ body: models.previous });
  const initialRelease = await startRelease('HEAD~1', '0.8.0');
  await vote(bob, await waitForApproval(ann, initialRelease.runId), 'approve', 'Only the version number changes.');
  await until(async () => (await ann.getRun({ runId: initialRelease.runId })).status === 'completed');
  await dana.deployWorkflow({ body: models.current });
  await dana.deployWorkflow({ body: buildReleaseNewsModel(Object.keys(RECEIVER_STATUS_CODES)) });
  const startReleaseNews = (version) =>
    ann.startRun({
      body: {
        workflowId: 'release-news',
        businessKey: `release-${version}`,
        inputs: { version },
      },
    });
  await startReleaseNews('0.8.0');
  const done = await startRelease('HEAD~3', '0.9.0');
  await vote(bob, await waitForApproval(ann, done.runId), 'approve', 'I read all changes. They have tests.');
  await startReleaseNews('0.9.0');
  const rejected = await startRelease('HEAD~4', '0.9.1');
  await vote(bob, await waitForApproval(ann, rejected.runId), 'reject', 'The storage change has no test.');
  const reworked = await startRelease('HEAD~2', '0.9.2');
  const first = await waitForApproval(ann, reworked.runId);
  await vote(bob, first, 'request_changes', 'Please mention the migration in the notes.');
  await waitForApproval(ann, reworked.runId, first.approvalId);
  const waiting = await startRelease('HEAD~5', '1.0.0');
  await waitForApproval(ann, waiting.runId);
  const failed = await ann.startRun({
    body: {
      workflowId: 'release-approval',
      businessKey: 'release-1.0.1',
      inputs: { repository, from: 'v-not-there', to: 'HEAD', version: '1.0.1' },
    },
  });
  await until(async () => (await ann.getRun({ runId: failed.runId })).status === 'failed');

  const triage = await sendIssueWebhook(ann, url, secrets.codehost, 7);
  const question = await until(async () => (await ann.listQuestions({ runId: triage })).items[0]);
  const open = await sendIssueWebhook(ann, url, secrets.codehost, 8);
  await until(async () => (await ann.listQuestions({ runId: open })).items[0]);
  await ann.answerQuestion({
    runId: triage,
    questionId: question.questionId,
    body: { answer: question.options?.[1] ?? 'the invoice' },
  });
  const call = await waitForApproval(bob, triage);
  await sendBuildEvent(url, secrets.ci, 'ci.failed', 'acme/shop#8', 1203);
  await sendBuildEvent(url, secrets.ci, 'ci.passed', 'acme/shop#8', 1204);
  await sendBuildEvent(url, secrets.ci, 'ci.passed', 'acme/shop#12', 1205);
  await until(async () => {
    const { items } = await dana.listOutboundDeliveries({});
    return (
      items.length === 2 * Object.keys(RECEIVER_STATUS_CODES).length &&
      items.every(({ attempts, held }) => attempts > 0 || held)
    );
  });
  return {
    done: done.runId,
    rejected: rejected.runId,
    reworked: reworked.runId,
    waiting: waiting.runId,
    failed: failed.runId,
    triage,
    open,
    call: call.approvalId,
    models,
  };
}

async function sendIssueWebhook(client, url, secret, number) {
  const body = JSON.stringify({
    action: 'opened',
    issue: {
      number,
      title: ISSUES[number].title,
      state: 'open',
      user: { login: 'dana' },
      html_url: `https://git.example/acme/shop/issues/${number}`,
    },
    repository: {
      full_name: 'acme/shop',
      name: 'shop',
      owner: { login: 'acme' },
      html_url: 'https://git.example/acme/shop',
    },
    sender: { login: 'dana' },
  });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const response = await fetch(`${url}/webhooks/codehost`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${signature}`,
      'x-github-event': 'issues',
      'x-github-delivery': randomBytes(16).toString('hex'),
    },
  });
  // The same event also starts a run of the workflow in examples/ci-gate.
  for (const runId of (await response.json()).startedRuns) {
    if ((await client.getRun({ runId })).workflowId === 'issue-triage') return runId;
  }
  throw new Error('The webhook did not start a run of issue-triage.');
}

async function sendBuildEvent(url, secret, messageName, correlationKey, build) {
  const body = JSON.stringify({ messageName, correlationKey, payload: { build } });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const response = await fetch(`${url}/webhooks/events`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-service-source': 'ci',
      'x-service-signature-256': `sha256=${signature}`,
      'x-service-delivery': `build-${build}`,
    },
  });
  if (!response.ok) throw new Error(`The server refused the build event with status ${response.status}.`);
}

const waitForApproval = (client, runId, previousApprovalId) =>
  until(async () =>
    (await client.listApprovals({ runId })).items.find(({ approvalId }) => approvalId !== previousApprovalId),
  );

const vote = (client, { approvalId, digest }, decision, comment) =>
  client.decideApproval({ approvalId, body: { decision, comment, expectedDigest: digest } });

async function until(poll) {
  for (let tries = 0; tries < 300; tries += 1) {
    const found = await poll();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('A condition was not met within 30 seconds.');
}
